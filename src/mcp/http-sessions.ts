/** Serves MCP over streamable HTTP: one session per client, each with tools of its own. */
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServer } from "./create-mcp-server.ts";
import { createEventLog } from "./event-log.ts";
import { MOST_MESSAGE_BYTES } from "./line-transport.ts";
import { type BadMessage, hasBatches, judge } from "./read-message.ts";
import { refusal } from "./refusal.ts";
import { createSessionTable, type Session, type SessionLimits } from "./session-table.ts";
import { whenRead } from "./when-read.ts";

/** What a session works on, and how its tools are made. An id is good for its own scope only. */
export interface McpPlace {
  readonly scope: string;
  makeServer(): McpServer;
}

export interface McpSessions {
  /** Answers one request that was let in. */
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
    const leave = sessions.makeRoom();
    if (leave === null)
      return refusal(503, `There are ${limits.most} sessions at work already; try again later.`);
    try {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        eventStore: createEventLog(),
        onsessioninitialized: (id) => {
          sessions.add(id, session);
          leave();
        },
        onsessionclosed: sessions.end,
      });
      const setProtocolVersion = (version: string) => {
        session.batches = hasBatches(version);
      };
      const session: Session = {
        scope,
        server: makeServer(),
        transport,
        batches: false,
        lastUsed: performance.now(),
        open: 0,
      };
      await session.server.connect(Object.assign(transport, { setProtocolVersion }));
      const response = await answer(session, request, { parsedBody: body });
      if (transport.sessionId === undefined) await session.server.close();
      return response;
    } finally {
      leave();
    }
  };
  return {
    async handle(request, place) {
      const id = request.headers.get("mcp-session-id");
      if (id === null && request.method !== "POST")
        return refusal(400, "The Mcp-Session-Id header is missing.");
      const session = id === null ? null : sessions.get(id);
      if (session === undefined || (session !== null && session.scope !== place.scope))
        return refusal(404, "That session has ended; begin with `initialize`.");
      if (session !== null && request.method !== "POST") return answer(session, request);
      const read = await readBody(request, { batches: session?.batches ?? false });
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
  session.open += 1;
  session.lastUsed = performance.now();
  const done = () => {
    session.open -= 1;
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

/** Nothing that is not UTF-8 can be what the client meant: a path of it would be another path. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Read here, not by the transport: nothing is made for a request that begins no session, and bad bytes are not replaced. */
async function readBody(request: Request, reading: { readonly batches: boolean }): Promise<Body> {
  const length = Number(request.headers.get("content-length") ?? 0);
  const bytes = length > MOST_MESSAGE_BYTES ? null : await request.arrayBuffer();
  if (bytes === null || bytes.byteLength > MOST_MESSAGE_BYTES)
    return { refused: refusal(413, "The message is longer than 10 MiB.") };
  const body = parse(bytes);
  if (body === undefined)
    return { refused: refusal(400, "The body is not JSON in UTF-8.", { code: -32700 }) };
  for (const read of judge(body, reading)) if (!("message" in read)) return { refused: refusalOf(read) };
  return { body };
}

/** Undefined, which JSON has no word for, where it is none. */
function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function refusalOf({ reason, code, id }: BadMessage): Response {
  return refusal(400, reason, { code, id });
}
