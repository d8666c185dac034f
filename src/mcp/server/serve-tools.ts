/** Serves tools to one MCP client: runs its calls until each has ended, or until the client goes. */
import type { CallToolResult, ListToolsResult, Server, Transport } from "@modelcontextprotocol/server";
import { answerTools, type ToolCallParams, unknownTool } from "./answer-tools.ts";
import { createRunningCalls } from "./running-calls.ts";
import { tellProgress } from "./tell-progress.ts";

export interface McpServer {
  /** Settles when the client's messages can arrive. */
  connect(transport: Transport): Promise<void>;
  /** Resolves when the connection has ended, from either side. */
  readonly ended: Promise<void>;
  /** The number of calls that are under way. */
  running(): number;
  /** The revision of the protocol that was agreed on; undefined before `initialize`. */
  protocolVersion(): string | undefined;
  /** Ends the connection, every call that is under way and every service; settles when they have ended. */
  close(): Promise<void>;
}

interface CallInHand {
  readonly params: ToolCallParams;
  /** Aborts when the client cancels the call or goes. */
  readonly signal: AbortSignal;
  /** Undefined if the client did not ask for it. */
  readonly onProgress: ReturnType<typeof tellProgress>["onProgress"];
}

interface Served<Tool> {
  readonly tools: ReadonlyMap<string, Tool>;
  list(): ListToolsResult;
  call(tool: Tool, call: CallInHand): Promise<CallToolResult>;
  /** Gets errors that no caller waits for. */
  report(error: Error): void;
  /** Ends what else belongs to this client. */
  end?(): Promise<void>;
}

/** Long enough for a command to get TERM, its grace, and KILL. */
const STOP_MS = 5_000;

export function serveTools<Tool>(server: Server, served: Served<Tool>): McpServer {
  const { tools } = served;
  const calls = createRunningCalls();
  const ended = Promise.withResolvers<void>();
  answerTools(server, {
    list: served.list,
    call: async (params, { mcpReq }) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw unknownTool(params.name, [...tools.keys()]);
      const { onProgress, end } = tellProgress(mcpReq, params.name);
      try {
        return await calls.track(mcpReq.signal, (signal) =>
          served.call(tool, { params, signal, onProgress }),
        );
      } finally {
        end();
      }
    },
  });
  server.onclose = ended.resolve;
  server.onerror = served.report;
  return {
    connect: (transport) => server.connect(transport),
    ended: ended.promise,
    running: calls.count,
    protocolVersion: () => server.getNegotiatedProtocolVersion(),
    async close() {
      await server.close();
      await calls.stopAll({ maxMs: STOP_MS });
      await served.end?.();
    },
  };
}
