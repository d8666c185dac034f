/** Speaks the Gemini format (generateContent), which Gemini CLI uses. */
import { historyOf, statedCwd } from "./history.ts";
import { type JsonRecord, record, records, text } from "./json.ts";
import {
  type Answer,
  type Conversation,
  type Failure,
  pieces,
  type StreamEvent,
  type WireFormat,
} from "./wire-format.ts";

export const gemini: WireFormat = {
  id: "gemini",
  asks: (path) => {
    const verb = METHOD.exec(path)?.[2];
    if (verb === undefined) return null;
    return verb === "countTokens" ? "count" : "answer";
  },
  read,
  plain: (answer) => chunk(answer, parts(answer), { last: true }),
  stream,
  count: (tokens) => ({ totalTokens: tokens }),
  failure: failureBody,
  streamFailure: (failure) => ({ event: null, data: failureBody(failure) }),
};

const METHOD = /\/models\/([^/:?]+):(generateContent|streamGenerateContent|countTokens)(?:\?|$)/;

function read(body: JsonRecord, path: string): Conversation {
  const [, model = "", verb] = METHOD.exec(path) ?? [];
  const history = historyOf(
    records(body.contents).map((content) => ({
      by: content.role === "model" ? "model" : "user",
      text: wordsIn(content),
    })),
  );
  const config = record(body.generationConfig);
  const schema = config.responseJsonSchema ?? config.responseSchema;
  return {
    model: decodeURIComponent(model),
    stream: verb === "streamGenerateContent",
    history,
    tools: records(body.tools).flatMap((tool) =>
      records(tool.functionDeclarations).map((declared) => ({
        name: text(declared.name),
        schema: record(declared.parametersJsonSchema ?? declared.parameters),
      })),
    ),
    cwd: statedCwd([wordsIn(record(body.systemInstruction)), history.added]),
    answerSchema: schema === undefined ? null : record(schema),
  };
}

const wordsIn = (content: JsonRecord) =>
  records(content.parts)
    .map((part) => text(part.text))
    .filter((words) => words !== "")
    .join("\n");

function callParts(answer: Answer): readonly JsonRecord[] {
  return answer.calls.map(({ id, name, input }) => ({
    functionCall: { id: `call_${id}`, name, args: typeof input === "string" ? { input } : input },
    thoughtSignature: Buffer.from("scripted").toString("base64"),
  }));
}

function parts(answer: Answer): readonly JsonRecord[] {
  return [
    ...(answer.thinking ? [{ text: answer.thinking, thought: true }] : []),
    ...(answer.text ? [{ text: answer.text }] : []),
    ...callParts(answer),
  ];
}

function chunk(
  answer: Answer,
  parts: readonly JsonRecord[],
  options: { readonly last: boolean },
): JsonRecord {
  const { input, cached, output, reasoning } = answer.usage;
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts },
        ...(options.last ? { finishReason: "STOP" } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      ...(options.last
        ? {
            candidatesTokenCount: output - reasoning,
            thoughtsTokenCount: reasoning,
            totalTokenCount: input + output,
          }
        : {}),
    },
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function stream(answer: Answer): readonly StreamEvent[] {
  const streamed = [
    ...pieces(answer.thinking).map((piece) => [{ text: piece, thought: true }]),
    ...pieces(answer.text).map((piece) => [{ text: piece }]),
  ];
  const closing = callParts(answer);
  return [
    ...streamed.map((parts) => ({ event: null, data: chunk(answer, parts, { last: false }) })),
    {
      event: null,
      data: chunk(answer, closing.length > 0 ? closing : [{ text: "" }], { last: true }),
    },
  ];
}

const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** Gemini says how long to wait in the body, not in a header. */
function failureBody({ status, message, retryAfterS }: Failure): JsonRecord {
  const details =
    retryAfterS === null
      ? {}
      : {
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfterS}s` }],
        };
  return { error: { code: status, message, status: STATUS[status] ?? "UNKNOWN", ...details } };
}
