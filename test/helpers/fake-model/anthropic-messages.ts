/** Speaks the Anthropic Messages format, which Claude Code uses. */
import { historyOf, statedCwd } from "./history.ts";
import { contentText, type JsonRecord, record, records, text } from "./json.ts";
import {
  type Answer,
  type AnswerCall,
  type Conversation,
  type Failure,
  pieces,
  type StreamEvent,
  type WireFormat,
} from "./wire-format.ts";

export const anthropicMessages: WireFormat = {
  id: "anthropic-messages",
  asks: (path) => {
    if (/\/messages\/count_tokens(\?|$)/.test(path)) return "count";
    return /\/messages(\?|$)/.test(path) ? "answer" : null;
  },
  read,
  plain: (answer) => ({
    ...envelope(answer),
    content: content(answer),
    stop_reason: stopReason(answer),
    usage: usage(answer, answer.usage.output),
  }),
  stream,
  count: (tokens) => ({ input_tokens: tokens }),
  failure: failureBody,
  streamFailure: (failure) => ({ event: "error", data: failureBody(failure) }),
};

function read(body: JsonRecord): Conversation {
  const history = historyOf(
    records(body.messages).map(({ role, content }) => ({
      by: role === "assistant" ? "model" : "user",
      text: contentText(content, ["text"]),
    })),
  );
  const system = contentText(body.system, ["text"]);
  const format = record(record(body.output_config).format ?? body.output_format);
  return {
    model: text(body.model),
    stream: body.stream === true,
    history,
    tools: records(body.tools).map((tool) => ({
      name: text(tool.name),
      schema: record(tool.input_schema),
    })),
    cwd: statedCwd([system, history.added]),
    answerSchema: format.type === "json_schema" ? record(format.schema) : null,
  };
}

function envelope(answer: Answer): JsonRecord {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** `input_tokens` leaves out what was read from the cache. */
function usage({ usage: { input, cached } }: Answer, output: number): JsonRecord {
  return {
    input_tokens: Math.max(0, input - cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

const stopReason = ({ calls }: Answer) => (calls.length > 0 ? "tool_use" : "end_turn");

const SIGNATURE = Buffer.from("scripted").toString("base64");

function content(answer: Answer): readonly JsonRecord[] {
  return [
    ...(answer.thinking ? [{ type: "thinking", thinking: answer.thinking, signature: SIGNATURE }] : []),
    ...(answer.text ? [{ type: "text", text: answer.text }] : []),
    ...answer.calls.map(({ id, name, input }) => ({ type: "tool_use", id: `toolu_${id}`, name, input })),
  ];
}

function stream(answer: Answer): readonly StreamEvent[] {
  const blocks = [
    ...(answer.thinking ? [thinkingBlock(answer.thinking)] : []),
    ...(answer.text ? [textBlock(answer.text)] : []),
    ...answer.calls.map(callBlock),
  ];
  return [
    named("message_start", { message: { ...envelope(answer), usage: usage(answer, 1) } }),
    named("ping", {}),
    ...blocks.flatMap((block, index) => [
      named("content_block_start", { index, content_block: block.start }),
      ...block.deltas.map((delta) => named("content_block_delta", { index, delta })),
      named("content_block_stop", { index }),
    ]),
    named("message_delta", {
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: usage(answer, answer.usage.output),
    }),
    named("message_stop", {}),
  ];
}

interface Block {
  readonly start: JsonRecord;
  readonly deltas: readonly JsonRecord[];
}

const thinkingBlock = (thinking: string): Block => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    ...pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
    { type: "signature_delta", signature: SIGNATURE },
  ],
});

const textBlock = (whole: string): Block => ({
  start: { type: "text", text: "" },
  deltas: pieces(whole).map((piece) => ({ type: "text_delta", text: piece })),
});

const callBlock = ({ id, name, input }: AnswerCall): Block => ({
  start: { type: "tool_use", id: `toolu_${id}`, name, input: {} },
  deltas: pieces(JSON.stringify(input)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
});

const named = (type: string, data: JsonRecord): StreamEvent => ({ event: type, data: { type, ...data } });

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};

function failureBody({ status, message }: Failure): JsonRecord {
  return { type: "error", error: { type: ERROR_TYPES[status] ?? "api_error", message } };
}
