/** Reads one line as a JSON-RPC message, or says what is wrong with it and whom to tell. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";

export interface BadMessage {
  /** Null where it cannot be known. */
  readonly id: string | number | null;
  readonly code: number;
  readonly reason: string;
}

/** Nothing that is not UTF-8 can be what the client meant: a path of it would be another path. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null stands for a line that was too long to be read. An empty line is no message and no fault. */
export function readMessage(
  line: Uint8Array | null,
): { readonly message: JSONRPCMessage } | BadMessage | null {
  if (line === null) return invalid(null, "The message is longer than 10 MiB.");
  const parsed = parse(line);
  if (parsed === undefined) return null;
  if (parsed === UNREADABLE)
    return { id: null, code: ProtocolErrorCode.ParseError, reason: "The line is not JSON in UTF-8." };
  return judge(parsed);
}

const UNREADABLE = Symbol("unreadable");

/** Undefined for a line without anything. */
function parse(line: Uint8Array): unknown {
  try {
    const text = decoder.decode(line);
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

function judge(parsed: unknown): { readonly message: JSONRPCMessage } | BadMessage {
  if (isMessage(parsed)) return { message: parsed };
  if (Array.isArray(parsed)) return invalid(null, "Send one message a line: there are no batches.");
  if (typeof parsed !== "object" || parsed === null) return invalid(null, "A message is a JSON object.");
  const { id } = parsed as Readonly<Record<string, unknown>>;
  return invalid(isId(id) ? id : null, "This is no JSON-RPC 2.0 request, notification or answer of MCP.");
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function invalid(id: string | number | null, reason: string): BadMessage {
  return { id, code: ProtocolErrorCode.InvalidRequest, reason };
}
