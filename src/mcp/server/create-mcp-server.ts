/** Offers tools to one MCP client: lists those that the policy allows, and answers calls of them. */
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ToolContext } from "../../tools/core/context.ts";
import type { ToolResult } from "../../tools/core/result.ts";
import { createSecureTool } from "../../tools/core/secure-tool.ts";
import { isOffered, type Tool } from "../../tools/core/tool.ts";
import { describeTool } from "../results/describe-tool.ts";
import type { SpecialTool } from "../results/special-tool.ts";
import { createWorkspace, type WorkspaceOptions } from "./follow-roots.ts";
import { type McpServer, serveTools } from "./serve-tools.ts";

export interface McpServerOptions {
  /** In the order in which they are listed. */
  readonly tools: readonly Tool[];
  /** Tools that word their own answers. */
  readonly special: ReadonlyMap<string, SpecialTool>;
  /** For this client only: its context is closed when the client goes. */
  readonly workspace: WorkspaceOptions;
  readonly version: string;
}

/**
 * The protocol requires a `file:` address for a root. A root with another address must not cost the client the
 * others.
 */
const rootsResult = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

/** If a client does not answer within it, it has no roots for us. */
const ROOTS_MS = 5_000;

export function createMcpServer(options: McpServerOptions): McpServer {
  const { first } = options.workspace;
  const server = new Server(
    { name: "tazuna", title: "Tazuna", version: options.version },
    { capabilities: { tools: {} }, instructions: instructionsFor(first) },
  );
  const workspace = createWorkspace(options.workspace);
  const roots = async () =>
    (await server.request({ method: "roots/list" }, rootsResult, { timeout: ROOTS_MS })).roots;
  const followRoots = () => {
    if (server.getClientCapabilities()?.roots !== undefined) workspace.follow(roots);
  };
  server.oninitialized = followRoots;
  server.setNotificationHandler("notifications/roots/list_changed", followRoots);
  return serveTools(server, {
    tools: new Map(options.tools.map((tool) => [tool.definition.name, tool])),
    list: () => ({
      tools: options.tools.filter((tool) => isOffered(tool, first)).map(describeTool),
    }),
    call: async (tool, { params, signal, onProgress }) => {
      const run = createSecureTool(tool, await workspace.current());
      const invoke = (args: unknown) => run(args, onProgress ? { signal, onProgress } : { signal });
      const special = options.special.get(params.name);
      const args = Object.hasOwn(params, "arguments") ? params.arguments : undefined;
      return special ? special(args, invoke) : callToolResult(await invoke(args));
    },
    report: (error) => options.workspace.report(error.message),
    end: () => workspace.close(),
  });
}

/**
 * `structuredContent` is `data`. For agents that read only text, the text is the same as JSON, or `text` if it is
 * given. An error has no `structuredContent`; its text begins with the code, and `_meta.error` holds what a program
 * needs.
 */
function callToolResult(result: ToolResult<unknown>, text?: string): CallToolResult {
  if (result.status !== "success") {
    const { code, message, retriable, details } = result.error;
    return {
      content: [{ type: "text", text: text ?? `${code}: ${message}` }],
      isError: true,
      _meta: { error: { code, retriable, details } },
    };
  }
  const { data, meta } = result;
  return {
    content: [{ type: "text", text: text ?? JSON.stringify(data) }],
    structuredContent: data as Record<string, unknown>,
    ...(meta === undefined ? {} : { _meta: { meta } }),
  };
}

function instructionsFor({ git, writeScope }: Pick<ToolContext, "git" | "writeScope">): string {
  return [
    "These tools work in one folder, the workspace. Paths are relative to it, and nothing outside of it is reached by name.",
    "Every error begins with a code; a code that is retriable may go away by itself.",
    ...(writeScope === "read-only"
      ? ["The workspace is read-only: nothing that could change it is run."]
      : []),
    ...(git === "read-only"
      ? ["Git may be read here, and nothing else: commits and pushes are made for you when you are done."]
      : []),
    "Commands end within 120 s. For a server or a watcher use a service: it lives until it is stopped or you leave.",
  ].join(" ");
}
