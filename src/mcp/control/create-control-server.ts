/** Offers the verbs of the API to a person's own agent over MCP (ADR 0071). */
import { type CallToolResult, type ListToolsResult, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { CODES } from "../../contract/codes.ts";
import { parseRequest } from "../../contract/parse-request.ts";
import type { ApiError } from "../../contract/problem.ts";
import { type McpServer, serveTools } from "../server/serve-tools.ts";
import type { ControlScope, ControlTool } from "./control-tool.ts";
import { DECIDE_TOOLS } from "./decide-tools.ts";
import { LOOK_TOOLS } from "./look-tools.ts";
import { WAIT_TOOL } from "./wait-tool.ts";
import { WORK_TOOLS } from "./work-tools.ts";

interface ControlServerOptions extends Pick<ControlScope, "folder" | "settings"> {
  /** Reaches the engine for a client, which says what it calls itself once it is connected. */
  readonly engineFor: (agent: () => string | null) => ControlScope["engine"];
  readonly version: string;
  /** Gets errors that no caller waits for. */
  readonly report: (what: unknown) => void;
}

const TOOLS: readonly ControlTool[] = [...WORK_TOOLS, WAIT_TOOL, ...LOOK_TOOLS, ...DECIDE_TOOLS];

export function createControlServer(options: ControlServerOptions): McpServer {
  const server = new Server(
    { name: "tazuna-control", title: "Tazuna", version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const engine = options.engineFor(() => server.getClientVersion()?.name ?? null);
  return serveTools(server, {
    tools: new Map(TOOLS.map((tool) => [tool.name, tool])),
    list: () => ({ tools: TOOLS.map(describe) }),
    call: (tool, { params, signal, onProgress }) => {
      let told = 0;
      const tell = (message: string) => onProgress?.({ progress: ++told, message });
      return callTool(tool, params.arguments, { ...options, engine, signal, onProgress: tell });
    },
    report: options.report,
  });
}

async function callTool(tool: ControlTool, given: unknown, scope: ControlScope): Promise<CallToolResult> {
  const args = parseRequest(tool.input, given ?? {});
  if (args.isErr()) return refusal(badArguments(tool, args.error));
  const acted = await tool.act(args.value as never, scope);
  if (acted.isErr()) return refusal(acted.error);
  // An engine of another version may say more than the schema does.
  const document = tool.output.parse(acted.value) as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(document) }], structuredContent: document };
}

function badArguments(
  { name, input }: ControlTool,
  { message, details }: { readonly message: string; readonly details: ApiError["details"] },
): ApiError {
  const remedy = `Correct the arguments and call ${name} again; it takes ${Object.keys(input.shape).join(", ")}.`;
  return { kind: "bad_request", code: "bad_request", message, remedy, details };
}

/** The text begins with the code; `_meta.error` holds what a program needs. */
function refusal({ kind, code, message, remedy, details }: ApiError): CallToolResult {
  const status = Object.entries<number>(CODES).find(([known]) => known === code)?.[1];
  const retriable = kind === "unreachable" || status === 429 || status === 503 || code === "rate_limited";
  return {
    content: [{ type: "text", text: `${code}: ${message} ${remedy}` }],
    isError: true,
    _meta: { error: { code, retriable, remedy, details } },
  };
}

const described = new WeakMap<ControlTool, ListToolsResult["tools"][number]>();

function describe(tool: ControlTool): ListToolsResult["tools"][number] {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, readOnly, destructive, openWorld } = tool;
  const made = {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(tool.input, { io: "input" }),
    outputSchema: { type: "object", ...z.toJSONSchema(tool.output, { io: "output" }) },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: readOnly,
      openWorldHint: openWorld,
    },
  } as unknown as ListToolsResult["tools"][number];
  described.set(tool, made);
  return made;
}

const INSTRUCTIONS = [
  "These tools steer Tazuna for the person you work for: agents that work on a repository at once, each in a worktree and on a branch of its own.",
  "Create a task, wait for it, compare its attempts and read their diffs, then choose one with a reason and merge it or open its pull request.",
  "If a run asks something, answer it only if the person would; else tell the person.",
  "Every error begins with a code and says what to do.",
].join(" ");
