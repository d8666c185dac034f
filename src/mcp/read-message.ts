/** Reads JSON-RPC messages of what a client sent, or says what is wrong with it and whom to tell. */
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

export type ReadMessage = { readonly message: JSONRPCMessage } | BadMessage;

interface Reading {
  /** Whether several messages may come as one list. */
  readonly batches: boolean;
}

/** One revision of the protocol wants a server to take them; the one before does not speak of them, and the next took them out. */
export function hasBatches(protocolVersion: string): boolean {
  return protocolVersion === "2025-03-26";
}

/** Nothing that is not UTF-8 can be what the client meant: a path of it would be another path. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Messages of one batch: what is wrong with each is answered. */
const MOST_IN_BATCH = 100;

/** Null stands for a line that was too long to be read. An empty line is no message and no fault. */
export function readLine(line: Uint8Array | null, reading: Reading): readonly ReadMessage[] {
  if (line === null) return [invalid(null, "The message is longer than 10 MiB.")];
  const parsed = parse(line);
  if (parsed === undefined) return [];
  if (parsed === UNREADABLE)
    return [{ id: null, code: ProtocolErrorCode.ParseError, reason: "The line is not JSON in UTF-8." }];
  return judge(parsed, reading);
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

/** What JSON stands for: one message, or each of a batch. */
export function judge(parsed: unknown, { batches }: Reading): readonly ReadMessage[] {
  if (!Array.isArray(parsed)) return [judgeOne(parsed)];
  if (!batches) return [invalid(null, "Send one message at a time: this revision has no batches.")];
  if (parsed.length === 0 || parsed.length > MOST_IN_BATCH)
    return [invalid(null, `A batch has 1 to ${MOST_IN_BATCH} messages.`)];
  return parsed.map(judgeOne);
}

function judgeOne(parsed: unknown): ReadMessage {
  if (isMessage(parsed)) return { message: parsed };
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
