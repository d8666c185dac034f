import { expect, test } from "bun:test";
import type { Script } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { ask, askStream } from "./model-client.ts";

const WRITE = { name: "Write", input_schema: { type: "object", properties: { file_path: {}, content: {} } } };
const SYSTEM = [{ type: "text", text: "You are an agent.\nPrimary working directory: /w t\nBe brief." }];

const script: Script = {
  scenarios: [
    {
      turns: [
        {
          thinking: "Hm.",
          text: "I write a file, said in more than one piece.",
          tools: [{ op: "write", path: "a/ü.txt", content: "日本\n" }],
          usage: { input: 1200, cached: 200, output: 40, reasoning: 10 },
        },
        { text: "Done." },
      ],
    },
  ],
};

const first = {
  model: "m",
  max_tokens: 10,
  system: SYSTEM,
  tools: [WRITE],
  messages: [{ role: "user", content: "go" }],
};
const input = { file_path: "/w t/a/ü.txt", content: "日本\n" };

test("a message is answered as one document", async () => {
  await using fake = await startFakeModel({ script });
  expect(await ask(`${fake.url}/v1/messages?beta=true`, first)).toEqual({
    status: 200,
    body: {
      id: "msg_fake1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "Hm.", signature: expect.any(String) },
        { type: "text", text: "I write a file, said in more than one piece." },
        { type: "tool_use", id: "toolu_fake10", name: "Write", input },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 1000,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 200,
        output_tokens: 40,
      },
    },
  });
});

interface Data {
  readonly type: string;
  readonly index?: number;
  readonly delta?: Readonly<Record<string, string>>;
}

test("a stream opens and closes each block and says the same as the document", async () => {
  await using fake = await startFakeModel({ script });
  const events = await askStream(`${fake.url}/v1/messages`, { ...first, stream: true });
  const data = events.map((sent) => sent.data as Data);
  expect(events.map(({ event }) => event)).toEqual(data.map(({ type }) => type));
  const outline = data.map(({ type, index, delta }) =>
    [type, index, delta?.type].filter((x) => x !== undefined).join(" "),
  );
  expect(outline.filter((line, at) => line !== outline[at - 1])).toEqual([
    "message_start",
    "ping",
    "content_block_start 0",
    "content_block_delta 0 thinking_delta",
    "content_block_delta 0 signature_delta",
    "content_block_stop 0",
    "content_block_start 1",
    "content_block_delta 1 text_delta",
    "content_block_stop 1",
    "content_block_start 2",
    "content_block_delta 2 input_json_delta",
    "content_block_stop 2",
    "message_delta",
    "message_stop",
  ]);
  const joined = (field: string) => data.map(({ delta }) => delta?.[field] ?? "").join("");
  expect(joined("text")).toBe("I write a file, said in more than one piece.");
  expect(JSON.parse(joined("partial_json"))).toEqual(input);
  expect<unknown>(data.at(-2)).toEqual({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: expect.objectContaining({ output_tokens: 40 }),
  });
});

test("the results of tools lead to the next turn", async () => {
  await using fake = await startFakeModel({ script });
  const messages = [
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_fake10", name: "Write", input }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_fake10", content: "not my words" }],
    },
  ];
  const { body } = await ask(`${fake.url}/v1/messages`, { ...first, messages });
  expect(body).toMatchObject({ content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" });
  expect(fake.requests.map(({ wire, turn, userText, status }) => ({ wire, turn, userText, status }))).toEqual(
    [{ wire: "anthropic-messages", turn: { scenario: 0, index: 1 }, userText: "go", status: 200 }],
  );
});

test("tokens are counted without using up a turn", async () => {
  await using fake = await startFakeModel({ script });
  expect(await ask(`${fake.url}/v1/messages/count_tokens?beta=true`, first)).toEqual({
    status: 200,
    body: { input_tokens: Math.ceil(JSON.stringify(first).length / 4) },
  });
  expect(fake.requests.map(({ turn }) => turn)).toEqual([null]);
});
