/** Holds when a request that is sent again is the same one for the server. */
import { expect, test } from "bun:test";
import { createSendOnce } from "../../web/src/data/send-once.ts";

const url = "http://tazuna/api/v1/attempts/a/runs";
const asked = (key: string, body = "more") => ({
  method: "POST",
  body,
  headers: { "idempotency-key": key, accept: "application/json" },
});

function network() {
  const keys: (string | null)[] = [];
  const answers: (() => Promise<Response>)[] = [];
  let now = 0;
  const send = createSendOnce(
    (_, init) => {
      keys.push(new Headers(init.headers).get("idempotency-key"));
      return (answers.shift() ?? (async () => new Response("{}")))();
    },
    () => now,
  );
  const lost = async () => {
    throw new TypeError("Failed to fetch");
  };
  return { send, keys, answers, lost, pass: (ms: number) => (now += ms) };
}

test("what got no answer is sent again with its first key, until it has one", async () => {
  const { send, keys, answers, lost } = network();
  answers.push(lost, async () => new Response(null, { status: 502 }));
  await expect(send(url, asked("one"))).rejects.toThrow("Failed to fetch");
  await send(url, asked("two"));
  await send(url, asked("other words", "less"));
  await send(url, asked("three"));
  await send(url, asked("four"));
  await send(url, { method: "POST", body: "no key" });
  expect(keys).toEqual(["one", "one", "other words", "one", "four", null]);
});

test("equal requests are one while the first is under way, and two if much time has passed", async () => {
  const { send, keys, answers, lost, pass } = network();
  const answer = Promise.withResolvers<Response>();
  answers.push(() => answer.promise);
  const both = Promise.all([send(url, asked("one")), send(url, asked("two"))]);
  answer.resolve(new Response("{}"));
  await both;
  answers.push(lost);
  await send(url, asked("three")).catch(() => undefined);
  pass(3_600_000);
  await send(url, asked("four"));
  expect(keys).toEqual(["one", "one", "three", "four"]);
});
