/** Answers the two requests about tools, `tools/list` and `tools/call`, for any list of tools. */
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { nearestWord } from "../../domain/text/nearest.ts";
import { invalidParams } from "../lines/read-message.ts";

/** The tool itself checks its arguments: a fault in them is not a fault of the protocol. */
const toolCallParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
export type ToolCallParams = z.output<typeof toolCallParams>;

/** All tools are on one page: the server gives out no cursor, so every cursor is wrong. */
const toolListParams = z.looseObject({
  cursor: z.undefined("there is no such page, since all tools are on the first").optional(),
});

interface ToolAnswers {
  list(): ListToolsResult;
  call(params: ToolCallParams, context: ServerContext): Promise<CallToolResult>;
}

/**
 * A handler of `setRequestHandler` would check each call and each answer against the protocol's schemas once more. That
 * costs an eighth of a short call.
 */
export function answerTools(server: Server, { list, call }: ToolAnswers): void {
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    if (method !== "tools/list" && method !== "tools/call") throw unknownMethod();
    if (server.getClientCapabilities() === undefined) throw notInitialized(method);
    if (method === "tools/call") return call(checked(toolCallParams, method, params), context);
    checked(toolListParams, method, params);
    return list();
  };
}

function unknownMethod(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
}

/** The protocol allows only `initialize` and `ping` before both sides have introduced themselves. */
function notInitialized(method: string): ProtocolError {
  const message = `${method} was asked before the session began; send \`initialize\` first.`;
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  method: string,
  params: unknown = {},
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, invalidParams(method, parsed.error.issues));
}

export function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const nearest = nearestWord(name, known);
  const meant = nearest === null ? `There are ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  const quotedName = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${quotedName}. ${meant}`, {
    nearest,
  });
}
