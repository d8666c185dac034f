/** Reads a client's JSON-RPC messages, or returns what is wrong and the id of the answer. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type StandardSchemaV1,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { isId } from "./find-id.ts";
import type { TooLong } from "./read-lines.ts";

export interface BadMessage {
  /** Null if it cannot be known. */
  readonly id: string | number | null;
  readonly code: number;
  readonly reason: string;
}

export type ReadMessage = { readonly message: JSONRPCMessage } | BadMessage;

interface Reading {
  /** Whether several messages may come as one list. */
  readonly batches: boolean;
}

/**
 * Only one revision of the protocol requires servers to accept batches. The one before does not mention them, and the
 * next removed them.
 */
export function hasBatches(protocolVersion: string | undefined): boolean {
  return protocolVersion === "2025-03-26";
}

/** Refuses bytes that are not UTF-8. Replaced bytes would turn a path into another path. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The limit of messages in one batch, because each faulty one is answered. */
const MAX_IN_BATCH = 100;

/** An empty line is neither a message nor a fault. */
export function readLine(line: Uint8Array | TooLong, reading: Reading): readonly ReadMessage[] {
  if ("id" in line) return [invalid(line.id, TOO_LONG)];
  const parsed = parse(line);
  if (parsed === undefined) return [];
  if (parsed === UNREADABLE)
    return [{ id: null, code: ProtocolErrorCode.ParseError, reason: "The line is not JSON in UTF-8." }];
  return readMessages(parsed, reading);
}

export const TOO_LONG = "The message is longer than 10 MiB.";

const UNREADABLE = Symbol("unreadable");

/** Undefined for an empty line. */
function parse(line: Uint8Array): unknown {
  try {
    const text = decoder.decode(line);
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

/** The message of a JSON value, or each message of a batch. */
export function readMessages(parsed: unknown, { batches }: Reading): readonly ReadMessage[] {
  if (!Array.isArray(parsed)) return [judgeOne(parsed)];
  if (!batches) return [invalid(null, "Send one message at a time: this revision has no batches.")];
  if (parsed.length === 0 || parsed.length > MAX_IN_BATCH)
    return [invalid(null, `A batch has 1 to ${MAX_IN_BATCH} messages.`)];
  return parsed.map(judgeOne);
}

function judgeOne(parsed: unknown): ReadMessage {
  if (isMessage(parsed)) return judgeInitialize(parsed) ?? { message: parsed };
  if (typeof parsed !== "object" || parsed === null) return invalid(null, "A message is a JSON object.");
  const { id } = parsed as Readonly<Record<string, unknown>>;
  // The id of an answer belongs to a question of ours. The client may have used the same id for its own question.
  const isAnswer = "result" in parsed || "error" in parsed;
  return invalid(
    isId(id) && !isAnswer ? id : null,
    "This is no JSON-RPC 2.0 request, notification or answer of MCP.",
  );
}

/** The SDK would answer wrong params of `initialize` as a fault of its own. Null if there is none. */
function judgeInitialize(message: JSONRPCMessage): BadMessage | null {
  if (!isJSONRPCRequest(message) || message.method !== "initialize") return null;
  const { issues } = specTypeSchemas.InitializeRequest["~standard"].validate(message);
  if (issues === undefined) return null;
  return {
    id: message.id,
    code: ProtocolErrorCode.InvalidParams,
    reason: invalidParams(message.method, issues),
  };
}

/** Names each fault in the params of a request, on one line. */
export function invalidParams(method: string, issues: readonly StandardSchemaV1.Issue[]): string {
  const flaws = issues.map(({ path = [], message }) => `${path.map(String).join(".")}: ${message}`);
  return `Invalid params for ${method}: ${flaws.join("; ").replaceAll(/\s+/g, " ")}`;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

function invalid(id: string | number | null, reason: string): BadMessage {
  return { id, code: ProtocolErrorCode.InvalidRequest, reason };
}
