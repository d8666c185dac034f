import { expect, test } from "bun:test";
import type { Script } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { ask, askStream } from "./model-client.ts";

const TOOLS = [
  { type: "function", function: { name: "edit", parameters: { type: "object", properties: {} } } },
];
const script: Script = {
  scenarios: [
    {
      turns: [
        {
          thinking: "Hm.",
          text: "I change a line of the file.",
          tools: [{ op: "edit", path: "a.txt", old: "one", new: "two" }],
          usage: { input: 1200, cached: 200, output: 40, reasoning: 10 },
        },
        { text: "Done." },
      ],
    },
  ],
};
const first = {
  model: "m",
  tools: TOOLS,
  messages: [
    { role: "system", content: "<env>\n  Working directory: /w t\n</env>" },
    { role: "user", content: "go" },
  ],
};
const usage = {
  prompt_tokens: 1200,
  completion_tokens: 40,
  total_tokens: 1240,
  prompt_tokens_details: { cached_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 10 },
};
const input = { filePath: "/w t/a.txt", oldString: "one", newString: "two" };
const call = {
  id: "call_fake10",
  type: "function",
  function: { name: "edit", arguments: JSON.stringify(input) },
};
const envelope = { id: "chatcmpl-fake1", created: expect.any(Number), model: "m" };

test("a completion is answered as one document", async () => {
  await using fake = await startFakeModel({ script });
  expect(await ask(`${fake.url}/v1/chat/completions`, first)).toEqual({
    status: 200,
    body: {
      ...envelope,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "I change a line of the file.",
            reasoning_content: "Hm.",
            tool_calls: [call],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage,
    },
  });
});

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { function: { arguments: string } }[];
    };
    readonly finish_reason: string | null;
  }[];
}

test("a stream says the same in pieces and ends with the usage and a mark", async () => {
  await using fake = await startFakeModel({ script });
  const events = await askStream(`${fake.url}/v1/chat/completions`, { ...first, stream: true });
  const chunks = events.slice(0, -2).map(({ data }) => data as Chunk);
  const deltas = chunks.map(({ choices }) => choices[0]?.delta ?? {});
  expect(deltas.map(({ content }) => content ?? "").join("")).toBe("I change a line of the file.");
  const named = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
  expect<unknown>(named[0]).toEqual({ index: 0, ...call, function: { name: "edit", arguments: "" } });
  expect(JSON.parse(named.map((part) => part.function.arguments).join(""))).toEqual(input);
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
    ...chunks.slice(1).map(() => null),
    "tool_calls",
  ]);
  expect(events.slice(-2)).toEqual([
    { event: null, data: { ...envelope, object: "chat.completion.chunk", choices: [], usage } },
    { event: null, data: "[DONE]" },
  ]);
});

test("the results of tools lead to the next turn", async () => {
  await using fake = await startFakeModel({ script });
  const messages = [
    ...first.messages,
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_fake10", content: "not my words" },
  ];
  const { body } = await ask(`${fake.url}/v1/chat/completions`, { ...first, messages });
  expect(body).toMatchObject({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });
  expect(fake.requests.map(({ turn, userText }) => ({ turn, userText }))).toEqual([
    { turn: { scenario: 0, index: 1 }, userText: "go" },
  ]);
});
