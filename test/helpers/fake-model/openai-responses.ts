/** Speaks the OpenAI Responses format, which Codex uses. */
import { historyOf, type SentMessage, statedCwd } from "./history.ts";
import { contentText, type JsonRecord, record, records, text } from "./json.ts";
import { openaiFailure } from "./openai-failure.ts";
import {
  type Answer,
  type AnswerCall,
  type Conversation,
  type Failure,
  type OfferedTool,
  pieces,
  type StreamEvent,
  type WireFormat,
} from "./wire-format.ts";

export const openaiResponses: WireFormat = {
  id: "openai-responses",
  asks: (path) => {
    if (/\/responses\/input_tokens(\?|$)/.test(path)) return "count";
    return /\/responses(\?|$)/.test(path) ? "answer" : null;
  },
  read,
  plain: completed,
  stream,
  count: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  failure: openaiFailure,
  streamFailure: (failure) => ({
    event: "response.failed",
    data: { type: "response.failed", response: { status: "failed", error: failedError(failure) } },
  }),
};

const MADE_BY_MODEL = [
  "reasoning",
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "web_search_call",
];

function read(body: JsonRecord): Conversation {
  const items =
    typeof body.input === "string"
      ? [{ type: "message", role: "user", content: body.input }]
      : records(body.input);
  const history = historyOf(items.map((item) => ({ by: sideOf(item), text: wordsIn(item) })));
  const rules = items.filter((item) => isMessage(item) && item.role === "developer").map(wordsIn);
  const format = record(record(body.text).format);
  return {
    model: text(body.model),
    stream: body.stream === true,
    history,
    tools: records(body.tools).flatMap(offered),
    cwd: statedCwd([text(body.instructions), ...rules, history.added]),
    answerSchema: format.type === "json_schema" ? record(format.schema) : null,
  };
}

/** The tools of a namespace are called by its name, a slash and their own. */
function offered(tool: JsonRecord): readonly OfferedTool[] {
  const own = {
    name: text(tool.name) || text(tool.type),
    schema: tool.type === "custom" ? null : record(tool.parameters),
  };
  if (tool.type !== "namespace") return [own];
  return records(tool.tools)
    .flatMap(offered)
    .map((inner) => ({ ...inner, name: `${own.name}/${inner.name}` }));
}

const isMessage = (item: JsonRecord) => (item.type ?? "message") === "message";

const wordsIn = (item: JsonRecord) => contentText(item.content, ["input_text", "output_text", "text"]);

function sideOf(item: JsonRecord): SentMessage["by"] {
  if (MADE_BY_MODEL.includes(text(item.type))) return "model";
  if (!isMessage(item)) return "other";
  if (item.role === "assistant") return "model";
  return item.role === "user" ? "user" : "other";
}

function response(answer: Answer, status: string, output: readonly JsonRecord[]): JsonRecord {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: 1_700_000_000,
    status,
    error: null,
    model: answer.model,
    output,
    parallel_tool_calls: true,
    usage: null,
  };
}

function completed(answer: Answer): JsonRecord {
  const { input, cached, output, reasoning } = answer.usage;
  return {
    ...response(
      answer,
      "completed",
      itemsOf(answer).map(({ item }) => item),
    ),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    },
  };
}

/** An item of the output, how it looks when it begins, and what streams between. */
interface OutputItem {
  readonly item: JsonRecord;
  readonly begun: JsonRecord;
  readonly between: (at: JsonRecord) => readonly StreamEvent[];
}

function itemsOf(answer: Answer): readonly OutputItem[] {
  return [
    ...(answer.thinking ? [reasoningItem(answer)] : []),
    ...(answer.text ? [messageItem(answer)] : []),
    ...answer.calls.map((call) => callItem(call)),
  ];
}

function stream(answer: Answer): readonly StreamEvent[] {
  const opening = { response: response(answer, "in_progress", []) };
  const events = [
    named("response.created", opening),
    named("response.in_progress", opening),
    ...itemsOf(answer).flatMap(({ item, begun, between }, output_index) => [
      named("response.output_item.added", { output_index, item: begun }),
      ...between({ item_id: item.id, output_index }),
      named("response.output_item.done", { output_index, item }),
    ]),
    named("response.completed", { response: completed(answer) }),
  ];
  return events.map(({ event, data }, sequence_number) => ({
    event,
    data: { ...record(data), sequence_number },
  }));
}

function reasoningItem({ id, thinking }: Answer): OutputItem {
  const item = { id: `rs_${id}`, type: "reasoning", summary: [{ type: "summary_text", text: thinking }] };
  const part = { summary_index: 0, part: { type: "summary_text", text: "" } };
  return {
    item,
    begun: { ...item, summary: [] },
    between: (at) => [
      named("response.reasoning_summary_part.added", { ...at, ...part }),
      ...pieces(thinking).map((delta) =>
        named("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta }),
      ),
      named("response.reasoning_summary_text.done", { ...at, summary_index: 0, text: thinking }),
    ],
  };
}

function messageItem({ id, text: whole }: Answer): OutputItem {
  const part = { type: "output_text", text: whole, annotations: [] };
  const item = { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content: [part] };
  return {
    item,
    begun: { ...item, status: "in_progress", content: [] },
    between: (at) => [
      named("response.content_part.added", { ...at, content_index: 0, part: { ...part, text: "" } }),
      ...pieces(whole).map((delta) =>
        named("response.output_text.delta", { ...at, content_index: 0, delta }),
      ),
      named("response.output_text.done", { ...at, content_index: 0, text: whole }),
      named("response.content_part.done", { ...at, content_index: 0, part }),
    ],
  };
}

function callItem({ id, name, input }: AnswerCall): OutputItem {
  const free = typeof input === "string";
  const field = free ? "input" : "arguments";
  const whole = free ? input : JSON.stringify(input);
  const [space, inner] = name.includes("/") ? name.split("/", 2) : [undefined, name];
  const streamed = free ? "response.custom_tool_call_input" : "response.function_call_arguments";
  const item = {
    id: `${free ? "ctc" : "fc"}_${id}`,
    type: free ? "custom_tool_call" : "function_call",
    status: "completed",
    call_id: `call_${id}`,
    name: inner,
    ...(space === undefined ? {} : { namespace: space }),
    [field]: whole,
  };
  return {
    item,
    begun: { ...item, status: "in_progress", [field]: "" },
    between: (at) => [
      ...pieces(whole).map((delta) => named(`${streamed}.delta`, { ...at, delta })),
      named(`${streamed}.done`, { ...at, [field]: whole }),
    ],
  };
}

const named = (type: string, data: JsonRecord): StreamEvent => ({ event: type, data: { type, ...data } });

/** The code is what Codex sorts by: overload is final for it, a server error is tried again. */
const failedError = ({ status, message }: Failure): JsonRecord => ({
  code: status === 503 ? "server_is_overloaded" : "server_error",
  message,
});
