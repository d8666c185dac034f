/** Speaks the OpenAI Chat Completions format, which opencode and many small agents use. */
import { historyOf, statedCwd } from "./history.ts";
import { contentText, type JsonRecord, record, records, text } from "./json.ts";
import { openaiFailure } from "./openai-failure.ts";
import {
  type Answer,
  type AnswerCall,
  type Conversation,
  pieces,
  type StreamEvent,
  type WireFormat,
} from "./wire-format.ts";

export const openaiChat: WireFormat = {
  id: "openai-chat",
  asks: (path) => (/\/chat\/completions(\?|$)/.test(path) ? "answer" : null),
  read,
  plain: (answer) => ({
    ...envelope(answer, "chat.completion"),
    choices: [{ index: 0, message: message(answer), finish_reason: finishReason(answer) }],
    usage: usage(answer),
  }),
  stream,
  count: (tokens) => ({ total_tokens: tokens }),
  failure: openaiFailure,
  streamFailure: (failure) => ({ event: null, data: openaiFailure(failure) }),
};

const SIDES: Readonly<Record<string, "user" | "model">> = { user: "user", assistant: "model" };

function read(body: JsonRecord): Conversation {
  const messages = records(body.messages).map(({ role, content }) => ({
    role: text(role),
    words: contentText(content, ["text"]),
  }));
  const history = historyOf(messages.map(({ role, words }) => ({ by: SIDES[role] ?? "other", text: words })));
  const rules = messages.filter(({ role }) => role === "system" || role === "developer");
  const format = record(body.response_format);
  return {
    model: text(body.model),
    stream: body.stream === true,
    history,
    tools: records(body.tools).map((tool) => {
      const { name, parameters } = record(tool.function);
      return { name: text(name), schema: record(parameters) };
    }),
    cwd: statedCwd([...rules.map(({ words }) => words), history.added]),
    answerSchema: format.type === "json_schema" ? record(record(format.json_schema).schema) : null,
  };
}

function envelope(answer: Answer, object: string): JsonRecord {
  return { id: `chatcmpl-${answer.id}`, object, created: 1_700_000_000, model: answer.model };
}

const finishReason = ({ calls }: Answer) => (calls.length > 0 ? "tool_calls" : "stop");

function message(answer: Answer): JsonRecord {
  return {
    role: "assistant",
    content: answer.text || null,
    ...(answer.thinking ? { reasoning_content: answer.thinking } : {}),
    ...(answer.calls.length > 0 ? { tool_calls: answer.calls.map(callOf) } : {}),
  };
}

const callOf = ({ id, name, input }: AnswerCall): JsonRecord => ({
  id: `call_${id}`,
  type: "function",
  function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
});

function usage({ usage: { input, cached, output, reasoning } }: Answer): JsonRecord {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function stream(answer: Answer): readonly StreamEvent[] {
  const chunk = (delta: JsonRecord, finish_reason: string | null = null): StreamEvent => ({
    event: null,
    data: {
      ...envelope(answer, "chat.completion.chunk"),
      choices: [{ index: 0, delta, finish_reason }],
    },
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(answer.thinking).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(answer.text).map((piece) => chunk({ content: piece })),
    ...answer.calls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
    chunk({}, finishReason(answer)),
    {
      event: null,
      data: { ...envelope(answer, "chat.completion.chunk"), choices: [], usage: usage(answer) },
    },
    { event: null, data: "[DONE]" },
  ];
}

function callDeltas(call: AnswerCall, index: number): readonly JsonRecord[] {
  const whole = callOf(call);
  const named = record(whole.function);
  return [
    { tool_calls: [{ index, ...whole, function: { ...named, arguments: "" } }] },
    ...pieces(text(named.arguments)).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ];
}
