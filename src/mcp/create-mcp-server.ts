/** Offers tools to one MCP client: lists those that the policy allows, and answers calls of them. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { nearestWord } from "../domain/text/nearest.ts";
import { isAllowed } from "../tools/core/context.ts";
import { createSecureTool } from "../tools/core/secure-tool.ts";
import type { Tool } from "../tools/core/tool.ts";
import { describeTool } from "./describe-tool.ts";
import { createWorkspace, type WorkspaceOptions } from "./follow-roots.ts";
import { instructionsFor } from "./instructions.ts";
import { LeanServer } from "./lean-server.ts";
import { createRunningCalls } from "./running-calls.ts";
import type { SpecialTool } from "./special-tool.ts";
import { tellProgress } from "./tell-progress.ts";
import { callToolResult } from "./tool-result.ts";

export interface McpServerOptions {
  /** In the order in which they are listed. */
  readonly tools: readonly Tool[];
  /** Tools that word their own answers. */
  readonly special: ReadonlyMap<string, SpecialTool>;
  /** Of this client alone: its context is closed when the client goes. */
  readonly workspace: WorkspaceOptions;
  readonly version: string;
}

export interface McpServer {
  /** Settles when the client can be heard. */
  connect(transport: Transport): Promise<void>;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Calls that are under way. */
  running(): number;
  /** Ends the connection, every call that is under way and every service; settles when they are gone. */
  close(): Promise<void>;
}

/** What the arguments are is for the tool to say: nothing that is wrong with them is a fault of the protocol. */
const toolCallParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
type ToolCallParams = z.output<typeof toolCallParams>;

/** All tools stand on one page: no cursor was ever handed out, so none can be right. */
const toolListParams = z.looseObject({
  cursor: z.undefined("there is no such page, since all tools are on the first").optional(),
});

/** Of the protocol a root is a `file:` address; one that is not shall not cost a client the others. */
const rootsResult = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

/** Long enough for a command to get TERM, its grace, and KILL. */
const STOP_MS = 5_000;
/** A client that answers no question within it has no roots for us. */
const ROOTS_MS = 5_000;

export function createMcpServer(options: McpServerOptions): McpServer {
  const { first } = options.workspace;
  const server = new LeanServer(
    { name: "tazuna", title: "Tazuna", version: options.version },
    { capabilities: { tools: {} }, instructions: instructionsFor(first) },
  );
  const workspace = createWorkspace(options.workspace);
  const calls = createRunningCalls();
  const ended = Promise.withResolvers<void>();
  const roots = async () =>
    (await server.request({ method: "roots/list" }, rootsResult, { timeout: ROOTS_MS })).roots;
  const followRoots = () => {
    if (server.getClientCapabilities()?.roots !== undefined) workspace.follow(roots);
  };
  const tools = new Map(options.tools.map((tool) => [tool.definition.name, tool]));

  const call = async (params: ToolCallParams, { mcpReq }: ServerContext): Promise<CallToolResult> => {
    const tool = tools.get(params.name);
    if (tool === undefined) throw unknownTool(params.name, [...tools.keys()]);
    const progress = tellProgress(mcpReq, params.name);
    const { onProgress } = progress;
    try {
      return await calls.track(mcpReq.signal, async (signal) => {
        const run = createSecureTool(tool, await workspace.current());
        const invoke = (args: unknown) => run(args, onProgress ? { signal, onProgress } : { signal });
        const special = options.special.get(params.name);
        return special ? special(params.arguments, invoke) : callToolResult(await invoke(params.arguments));
      });
    } finally {
      progress.end();
    }
  };

  server.oninitialized = followRoots;
  server.setNotificationHandler("notifications/roots/list_changed", followRoots);
  server.setRequestHandler("tools/list", { params: toolListParams }, () => ({
    tools: options.tools.filter(({ definition }) => isAllowed(first, definition.name)).map(describeTool),
  }));
  server.setRequestHandler("tools/call", { params: toolCallParams }, call);
  server.onclose = ended.resolve;
  server.onerror = (error) => options.workspace.report(error.message);
  return {
    connect: (transport) => server.connect(transport),
    ended: ended.promise,
    running: calls.count,
    async close() {
      await server.close();
      await calls.stopAll({ mostMs: STOP_MS });
      await workspace.close();
    },
  };
}

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const nearest = nearestWord(name, known);
  const meant = nearest === null ? `There are ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  const said = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${said}. ${meant}`, { nearest });
}
