/** Declares what each provider's wire format does: read a request into neutral words, and write an answer. */
import type { History } from "./history.ts";
import type { JsonRecord } from "./json.ts";
import type { TurnUsage } from "./script.ts";

export type WireId = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini";

/** What one request says, the same for every provider. */
export interface Conversation {
  readonly model: string;
  readonly stream: boolean;
  readonly history: History;
  readonly tools: readonly OfferedTool[];
  /** The directory in which the CLI says it works; null if it did not say. */
  readonly cwd: string | null;
  /** The JSON schema that the answer's text must fit, if one was asked for. */
  readonly answerSchema: JsonRecord | null;
}

export interface OfferedTool {
  readonly name: string;
  /** JSON schema of its input; null for a free-form tool. */
  readonly schema: JsonRecord | null;
}

/** One step of the model. */
export interface Answer {
  /** Unique among all answers of this server; letters and digits. */
  readonly id: string;
  readonly model: string;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly usage: TurnUsage;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** A string for a free-form tool. */
  readonly input: JsonRecord | string;
}

/** An event of a stream of server-sent events; `event` is null if the format names none. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: JsonRecord | "[DONE]";
}

export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Whole seconds of the `retry-after` header, if there is one. */
  readonly retryAfterS: number | null;
}

export interface WireFormat {
  readonly id: WireId;
  /** What a POST to this path (query included) asks for; null if the path belongs to another format. */
  asks(path: string): "answer" | "count" | null;
  read(body: JsonRecord, path: string): Conversation;
  /** The answer as one JSON document. */
  plain(answer: Answer): JsonRecord;
  stream(answer: Answer): readonly StreamEvent[];
  /** The answer to a request to count tokens. */
  count(tokens: number): JsonRecord;
  failure(failure: Failure): JsonRecord;
  /** The event with which a stream breaks off. */
  streamFailure(failure: Failure): StreamEvent;
}

/** Cuts a text into pieces as a stream does, never through a character. */
export function pieces(whole: string, size = 24): readonly string[] {
  const characters = Array.from(whole);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, n) =>
    characters.slice(n * size, (n + 1) * size).join(""),
  );
}
