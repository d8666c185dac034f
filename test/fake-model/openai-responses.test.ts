import { expect, test } from "bun:test";
import type { Script } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { ask, askStream } from "./model-client.ts";

const TOOLS = [
  { type: "function", name: "exec_command", parameters: { type: "object", properties: { cmd: {} } } },
  { type: "custom", name: "apply_patch", format: { type: "grammar" } },
  { type: "web_search" },
];
const CONTEXT = "<environment_context>\n  <cwd>/w t</cwd>\n</environment_context>";

const script: Script = {
  scenarios: [
    {
      when: /^go$/m,
      turns: [
        {
          thinking: "Hm.",
          text: "I write and look.",
          tools: [
            { op: "write", path: "a.txt", content: "one\ntwo\n" },
            { op: "shell", command: "ls -l" },
          ],
          usage: { input: 1200, cached: 200, output: 40, reasoning: 10 },
        },
        { text: "Done." },
      ],
    },
  ],
};

const says = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const first = {
  model: "m",
  instructions: "Be brief.",
  tools: TOOLS,
  input: [says("developer", "Rules."), says("user", CONTEXT), says("user", "go")],
};

const reasoning = { id: "rs_fake1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] };
const message = {
  id: "msg_fake1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "I write and look.", annotations: [] }],
};
const patchCall = {
  id: "ctc_fake10",
  type: "custom_tool_call",
  status: "completed",
  call_id: "call_fake10",
  name: "apply_patch",
  input: "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n",
};
const shellCall = {
  id: "fc_fake11",
  type: "function_call",
  status: "completed",
  call_id: "call_fake11",
  name: "exec_command",
  arguments: '{"cmd":"ls -l"}',
};
const completed = {
  id: "resp_fake1",
  object: "response",
  created_at: expect.any(Number),
  status: "completed",
  error: null,
  model: "m",
  output: [reasoning, message, patchCall, shellCall],
  parallel_tool_calls: true,
  usage: {
    input_tokens: 1200,
    input_tokens_details: { cached_tokens: 200 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 10 },
    total_tokens: 1240,
  },
};

test("a response is answered as one document", async () => {
  await using fake = await startFakeModel({ script });
  expect(await ask(`${fake.url}/v1/responses`, first)).toEqual({ status: 200, body: completed });
});

test("a stream announces, fills and closes each item and ends with the whole response", async () => {
  await using fake = await startFakeModel({ script });
  const events = await askStream(`${fake.url}/v1/responses`, { ...first, stream: true });
  const data = events.map((sent) => sent.data as Record<string, unknown>);
  expect(events.map(({ event }) => event)).toEqual(data.map(({ type }) => type as string));
  expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, n) => n));
  const outline = data.map(({ type, output_index }) => `${type} ${output_index ?? ""}`.trim());
  expect(outline.filter((line, at) => line !== outline[at - 1])).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added 0",
    "response.reasoning_summary_part.added 0",
    "response.reasoning_summary_text.delta 0",
    "response.reasoning_summary_text.done 0",
    "response.output_item.done 0",
    "response.output_item.added 1",
    "response.content_part.added 1",
    "response.output_text.delta 1",
    "response.output_text.done 1",
    "response.content_part.done 1",
    "response.output_item.done 1",
    "response.output_item.added 2",
    "response.custom_tool_call_input.delta 2",
    "response.custom_tool_call_input.done 2",
    "response.output_item.done 2",
    "response.output_item.added 3",
    "response.function_call_arguments.delta 3",
    "response.function_call_arguments.done 3",
    "response.output_item.done 3",
    "response.completed",
  ]);
  const done = data.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  expect(done).toEqual([reasoning, message, patchCall, shellCall]);
  expect(data.at(-1)?.response).toEqual(completed);
});

test("two calls made at once and their results are one step of the model", async () => {
  await using fake = await startFakeModel({ script });
  const results = [patchCall, shellCall].map(({ type, call_id }) => ({
    type: `${type}_output`,
    call_id,
    output: "not my words",
  }));
  const input = [...first.input, reasoning, message, patchCall, shellCall, ...results];
  const { body } = await ask(`${fake.url}/v1/responses`, { ...first, input });
  expect(body).toMatchObject({ output: [{ type: "message", content: [{ text: "Done." }] }] });
  expect(fake.requests.map(({ turn, userText }) => ({ turn, userText }))).toEqual([
    { turn: { scenario: 0, index: 1 }, userText: "go" },
  ]);
});

test("a plain string is the user's text", async () => {
  await using fake = await startFakeModel({ script });
  await ask(`${fake.url}/v1/responses`, { ...first, instructions: CONTEXT, input: "go" });
  expect(fake.requests.map(({ turn, userText }) => ({ turn, userText }))).toEqual([
    { turn: { scenario: 0, index: 0 }, userText: "go" },
  ]);
});
