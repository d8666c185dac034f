/** Serves MCP over streamable HTTP: one session per client, each with tools of its own. */
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createIdFinder, type IdFinder } from "../lines/find-id.ts";
import { MAX_MESSAGE_BYTES } from "../lines/line-transport.ts";
import type { TooLong } from "../lines/read-lines.ts";
import { type BadMessage, hasBatches, readMessages, TOO_LONG } from "../lines/read-message.ts";
import type { McpServer } from "../server/serve-tools.ts";
import { createEventLog } from "./event-log.ts";
import { createSessionTable, type Session, type SessionLimits } from "./session-table.ts";
import { whenRead } from "./when-read.ts";

/** What a session works on, and how its tools are made. An id is valid for its own scope only. */
export interface McpPlace {
  readonly scope: string;
  makeServer(): McpServer;
}

interface McpSessions {
  /** Answers one request that has passed the checks. */
  handle(request: Request, place: McpPlace): Promise<Response>;
  count(): number;
  /** Ends every session, with its calls and services. */
  close(): Promise<void>;
}

export function createMcpSessions(limits: SessionLimits): McpSessions {
  const sessions = createSessionTable(limits);
  const begin = async (
    request: Request,
    body: unknown,
    { scope, makeServer }: McpPlace,
  ): Promise<Response> => {
    if (!isInitializeRequest(body)) return refusal(400, "There is no session; begin with `initialize`.");
    const release = sessions.reserve();
    if (release === null)
      return refusal(503, `There are ${limits.maxSessions} sessions at work already; try again later.`);
    try {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        eventStore: createEventLog(),
        onsessioninitialized: (id) => {
          sessions.add(id, session);
          // The session counts itself now; a second call does nothing.
          release();
        },
        onsessionclosed: sessions.end,
      });
      const session: Session = {
        scope,
        server: makeServer(),
        transport,
        lastUsed: performance.now(),
        openAnswers: 0,
      };
      await session.server.connect(transport);
      const response = await answer(session, request, { parsedBody: body });
      // The transport refused to begin.
      if (transport.sessionId === undefined) await session.server.close();
      return response;
    } finally {
      release();
    }
  };
  return {
    async handle(request, place) {
      const id = request.headers.get("mcp-session-id");
      if (id === null && request.method !== "POST")
        return refusal(400, "The Mcp-Session-Id header is missing.");
      // Null: no id was sent. Undefined: the id is unknown.
      const session = id === null ? null : sessions.get(id);
      if (session === undefined || (session !== null && session.scope !== place.scope))
        return refusal(404, "That session has ended; begin with `initialize`.");
      if (session !== null && request.method !== "POST") return answer(session, request);
      const read = await readBody(request, { batches: hasBatches(session?.server.protocolVersion()) });
      if ("refused" in read) return read.refused;
      if (session === null) return begin(request, read.body, place);
      return answer(session, request, { parsedBody: read.body });
    },
    count: sessions.count,
    close: sessions.close,
  };
}

/** A session is in use until its answer was read to the end. */
async function answer(
  session: Session,
  request: Request,
  options: { readonly parsedBody?: unknown } = {},
): Promise<Response> {
  session.openAnswers += 1;
  session.lastUsed = performance.now();
  const done = () => {
    session.openAnswers -= 1;
    session.lastUsed = performance.now();
  };
  try {
    return whenRead(await session.transport.handleRequest(request, options), done);
  } catch (error) {
    done();
    throw error;
  }
}

type Body = { readonly body: unknown } | { readonly refused: Response };

/** Refuses bytes that are not UTF-8. Replaced bytes would turn a path into another path. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The body is read here and not by the transport. The transport would replace invalid bytes, and it exists only once
 * a session begins.
 */
async function readBody(request: Request, reading: { readonly batches: boolean }): Promise<Body> {
  const bytes = await bytesOf(request);
  if ("id" in bytes) return { refused: refusal(413, TOO_LONG, { id: bytes.id }) };
  const body = parse(bytes);
  if (body === undefined)
    return { refused: refusal(400, "The body is not JSON in UTF-8.", { code: -32700 }) };
  for (const read of readMessages(body, reading))
    if (!("message" in read)) return { refused: refusalOf(read) };
  return { body };
}

/** Of a body that is too long, only its id is kept. */
async function bytesOf(request: Request): Promise<Uint8Array | TooLong> {
  const chunks: Uint8Array[] = [];
  let finder: IdFinder | null = null;
  let size = 0;
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size <= MAX_MESSAGE_BYTES) continue;
    finder ??= createIdFinder();
    for (const passed of chunks.splice(0)) finder.push(passed);
  }
  return finder === null ? Buffer.concat(chunks) : { id: finder.id() };
}

/** Undefined, which is no JSON value, if the bytes are not JSON. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function refusalOf({ reason, code, id }: BadMessage): Response {
  return refusal(400, reason, { code, id });
}

/** -32000 is the code of MCP's own transports for faults in the request around the message. */
function refusal(
  status: number,
  message: string,
  {
    code = status === 404 ? -32001 : -32000,
    id = null,
  }: { readonly code?: number; readonly id?: string | number | null } = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}
