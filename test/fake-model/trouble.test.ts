import { describe, expect, test } from "bun:test";
import type { Trouble } from "../helpers/fake-model/script.ts";
import { type FakeModel, startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { ask, eventsOf, post } from "./model-client.ts";

const TEXT = "An answer that is long enough to be told in several pieces.";
const TOOLS = [
  { name: "Bash", input_schema: {}, function: { name: "Bash" }, functionDeclarations: [{ name: "Bash" }] },
];

/** One request of each wire format. */
const WIRES = {
  "anthropic-messages": { path: "/v1/messages", body: { messages: [{ role: "user", content: "go" }] } },
  "openai-responses": { path: "/v1/responses", body: { input: "go" } },
  "openai-chat": { path: "/v1/chat/completions", body: { messages: [{ role: "user", content: "go" }] } },
  gemini: {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: "go" }] }] },
  },
} as const;
type Wire = keyof typeof WIRES;
const EACH = Object.keys(WIRES) as readonly Wire[];

const troubled = (trouble: Trouble) =>
  startFakeModel({ script: { scenarios: [{ turns: [{ text: TEXT, trouble }] }] } });

const request = (fake: FakeModel, wire: Wire) =>
  [
    `${fake.url}${WIRES[wire].path}`,
    { model: "m", stream: true, tools: TOOLS, ...WIRES[wire].body },
  ] as const;

describe("an error", () => {
  const message = "Slow down.";
  const worded: Readonly<Record<Wire, unknown>> = {
    "anthropic-messages": { type: "error", error: { type: "rate_limit_error", message } },
    "openai-responses": { error: { message, type: "requests", param: null, code: "rate_limit_exceeded" } },
    "openai-chat": { error: { message, type: "requests", param: null, code: "rate_limit_exceeded" } },
    gemini: {
      error: {
        code: 429,
        message,
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "30s" }],
      },
    },
  };
  test.each(EACH)("has its status, its headers and the provider's own words: %s", async (wire) => {
    await using fake = await troubled({
      kind: "error",
      status: 429,
      message,
      headers: { "Retry-After": "30" },
    });
    const response = await post(...request(fake, wire));
    expect({ status: response.status, wait: response.headers.get("retry-after") }).toEqual({
      status: 429,
      wait: "30",
    });
    expect<unknown>(await response.json()).toEqual(worded[wire]);
    expect(fake.requests.map(({ status, turn }) => ({ status, turn }))).toEqual([
      { status: 429, turn: { scenario: 0, index: 0 } },
    ]);
  });

  test("that comes a number of times is over afterwards", async () => {
    await using fake = await troubled({ kind: "error", status: 503, times: 2 });
    const [url, body] = request(fake, "anthropic-messages");
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await post(url, body)).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    fake.setScript({
      scenarios: [{ turns: [{ text: TEXT, trouble: { kind: "error", status: 503, times: 1 } }] }],
    });
    expect((await post(url, body)).status).toBe(503);
    expect((await post(url, body)).status).toBe(200);
  });
});

test.each(EACH)("a stream breaks off into the provider's error event: %s", async (wire) => {
  await using fake = await troubled({ kind: "stream_error", message: "Overloaded." });
  const events = eventsOf(await (await post(...request(fake, wire))).text());
  const last = JSON.stringify(events.at(-1));
  expect({
    some: events.length > 1,
    said: last.includes("Overloaded."),
    error: last.includes('"error"'),
  }).toEqual({
    some: true,
    said: true,
    error: true,
  });
});

test.each(EACH)("a connection is cut in the middle of the stream: %s", async (wire) => {
  await using fake = await troubled({ kind: "drop", at: "mid" });
  const response = await post(...request(fake, wire));
  expect(response.status).toBe(200);
  expect(await response.text().then(String, () => "cut")).toBe("cut");
});

test.each(EACH)("a connection is cut before any answer, once: %s", async (wire) => {
  await using fake = await troubled({ kind: "drop", at: "before", times: 1 });
  const [url, body] = request(fake, wire);
  expect(await post(url, body).then(String, () => "cut")).toBe("cut");
  expect((await post(url, body)).status).toBe(200);
});

test.each(EACH)("a stream falls silent after its first half: %s", async (wire) => {
  await using fake = await troubled({ kind: "hang", at: "mid" });
  const response = await post(...request(fake, wire));
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(eventsOf(new TextDecoder().decode(first?.value)).length).toBeGreaterThan(0);
  const next = reader?.read().then(
    ({ done }) => (done ? "ended" : "more"),
    () => "cut",
  );
  await fake.close();
  expect(await next).toBe("cut");
});

test.each(EACH)("a request is never answered, until the server closes: %s", async (wire) => {
  const fake = await troubled({ kind: "hang", at: "before" });
  const answered = post(...request(fake, wire)).then(String, () => "cut");
  const seen = await waitFor("the request", () => fake.requests[0]);
  expect({ wire: seen.wire, status: seen.status }).toEqual({ wire, status: null });
  await fake.close();
  expect(await answered).toBe("cut");
  await fake.close();
});

test("an answer is held until the test lets it go", async () => {
  const gate = Promise.withResolvers<void>();
  await using fake = await startFakeModel({
    script: { scenarios: [{ turns: [{ text: TEXT, hold: gate.promise }] }] },
  });
  const answered = post(...request(fake, "anthropic-messages"));
  const seen = await waitFor("the request", () => fake.requests[0]);
  expect(seen.status).toBeNull();
  gate.resolve();
  expect((await answered).status).toBe(200);
  expect(fake.requests[0]?.status).toBe(200);
});

test("a client that leaves while its answer is held does no harm to the next", async () => {
  const gate = Promise.withResolvers<void>();
  await using fake = await startFakeModel({
    script: { scenarios: [{ turns: [{ text: TEXT, hold: gate.promise }] }] },
  });
  const [url, body] = request(fake, "openai-responses");
  const leaving = new AbortController();
  const left = fetch(url, { method: "POST", body: JSON.stringify(body), signal: leaving.signal }).then(
    String,
    () => "left",
  );
  await waitFor("the request", () => fake.requests[0]);
  leaving.abort();
  expect(await left).toBe("left");
  gate.resolve();
  expect((await post(url, body)).status).toBe(200);
});

test("a prompt of a megabyte is taken whole", async () => {
  await using fake = await startFakeModel({
    script: { scenarios: [{ when: /END$/, turns: [{ text: TEXT }] }] },
  });
  const prompt = `${"日本語 ".repeat(100_000)}END`;
  const { status } = await ask(`${fake.url}/v1/responses`, { model: "m", tools: TOOLS, input: prompt });
  expect({ status, whole: fake.requests[0]?.userText === prompt }).toEqual({ status: 200, whole: true });
});

describe("what no script speaks of", () => {
  test("the models are listed for every reader", async () => {
    await using fake = await startFakeModel({ script: { scenarios: [], models: ["m-1"] } });
    const listed = (await (await fetch(`${fake.url}/v1/models?x=1`)).json()) as Record<string, unknown>;
    expect(listed).toMatchObject({
      object: "list",
      data: [{ id: "m-1", object: "model", type: "model", display_name: "m-1" }],
      models: [{ name: "models/m-1" }],
    });
  });

  test("unknown paths, wrong methods and broken bodies are answered and recorded", async () => {
    await using fake = await startFakeModel({ script: { scenarios: [] } });
    expect(await ask(`${fake.url}/v1/nothing`, {})).toEqual({
      status: 404,
      body: { error: { message: "the scripted model knows no POST /v1/nothing" } },
    });
    expect((await fetch(`${fake.url}/v1/messages`)).status).toBe(404);
    const broken = await fetch(`${fake.url}/v1/messages`, { method: "POST", body: "{ not JSON" });
    expect(broken.status).toBe(400);
    expect(fake.requests.map(({ method, wire, body }) => ({ method, wire, body }))).toEqual([
      { method: "POST", wire: null, body: {} },
      { method: "GET", wire: null, body: "" },
      { method: "POST", wire: null, body: "{ not JSON" },
    ]);
  });
});
