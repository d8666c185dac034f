import { expect, test } from "bun:test";
import type { Script } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { ask, askStream } from "./model-client.ts";

const PATH = "/v1beta/models/gemini-x";
const CONTEXT = "<session_context>\n- **Workspace Directories:**\n  - /w t\n</session_context>";
const script: Script = {
  scenarios: [
    {
      turns: [
        {
          thinking: "Hm.",
          text: "I run a command, said in more than one piece.",
          tools: [{ op: "read", path: "a.txt" }],
          usage: { input: 1200, cached: 200, output: 40, reasoning: 10 },
        },
        { text: "Done." },
      ],
    },
  ],
};
const first = {
  tools: [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: { type: "object" } }] }],
  contents: [{ role: "user", parts: [{ text: CONTEXT }, { text: "go" }] }],
};
const functionCall = { id: "call_fake10", name: "read_file", args: { file_path: "/w t/a.txt" } };
const usageMetadata = {
  promptTokenCount: 1200,
  cachedContentTokenCount: 200,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 10,
  totalTokenCount: 1240,
};

test("a content is answered as one document", async () => {
  await using fake = await startFakeModel({ script });
  expect(await ask(`${fake.url}${PATH}:generateContent`, first)).toEqual({
    status: 200,
    body: {
      candidates: [
        {
          index: 0,
          content: {
            role: "model",
            parts: [
              { text: "Hm.", thought: true },
              { text: "I run a command, said in more than one piece." },
              { functionCall, thoughtSignature: expect.any(String) },
            ],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata,
      modelVersion: "gemini-x",
      responseId: "fake1",
    },
  });
});

interface Chunk {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly { readonly text?: string; readonly thought?: boolean }[] };
    readonly finishReason?: string;
  }[];
}

test("a stream says the same in pieces and gives the reason to stop once, at the end", async () => {
  await using fake = await startFakeModel({ script });
  const events = await askStream(`${fake.url}${PATH}:streamGenerateContent?alt=sse`, first);
  const candidates = events.flatMap(({ data }) => (data as Chunk).candidates);
  const parts = candidates.flatMap(({ content }) => content.parts);
  const said = parts.filter(({ thought }) => thought !== true);
  expect(said.map(({ text }) => text ?? "").join("")).toBe("I run a command, said in more than one piece.");
  expect(candidates.map(({ finishReason }) => finishReason)).toEqual([
    ...candidates.slice(1).map(() => undefined),
    "STOP",
  ]);
  expect<unknown>(parts.at(-1)).toEqual({ functionCall, thoughtSignature: expect.any(String) });
  expect(events.at(-1)?.data).toMatchObject({ usageMetadata });
});

test("without server-sent events a stream is one list of the same chunks", async () => {
  await using fake = await startFakeModel({ script });
  const { body } = await ask(`${fake.url}${PATH}:streamGenerateContent`, first);
  fake.setScript(script);
  const events = await askStream(`${fake.url}${PATH}:streamGenerateContent?alt=sse`, first);
  const nameless = (chunks: unknown) => JSON.parse(JSON.stringify(chunks).replaceAll(/fake\d/g, "fake"));
  expect(nameless(body)).toEqual(nameless(events.map(({ data }) => data)));
});

test("the results of tools lead to the next turn", async () => {
  await using fake = await startFakeModel({ script });
  const contents = [
    ...first.contents,
    { role: "model", parts: [{ functionCall }] },
    {
      role: "user",
      parts: [{ functionResponse: { ...functionCall, response: { output: "not my words" } } }],
    },
  ];
  const { body } = await ask(`${fake.url}${PATH}:generateContent`, { ...first, contents });
  expect(body).toMatchObject({ candidates: [{ content: { parts: [{ text: "Done." }] } }] });
  expect(fake.requests.map(({ turn, userText }) => ({ turn, userText }))).toEqual([
    { turn: { scenario: 0, index: 1 }, userText: "go" },
  ]);
});

test("tokens are counted without using up a turn", async () => {
  await using fake = await startFakeModel({ script });
  const body = { totalTokens: Math.ceil(JSON.stringify(first).length / 4) };
  expect(await ask(`${fake.url}${PATH}:countTokens`, first)).toEqual({ status: 200, body });
});
