import { expect, test } from "bun:test";
import { ClosedError, createShared, type SharedKey } from "../../../src/tools/core/kept-things.ts";

/** A kind of thing that counts how often one is made, and keeps what was closed. */
function counted(name: string) {
  const closed: number[] = [];
  let made = 0;
  const key: SharedKey<{ readonly number: number }> = {
    name,
    make: () => ({ number: ++made }),
    close: async ({ number }) => {
      closed.push(number);
    },
  };
  return { key, closed };
}

test("one of a kind is made, at the first call", () => {
  const shared = createShared();
  const { key } = counted("a");
  expect([shared.get(key), shared.get(key)]).toEqual([{ number: 1 }, { number: 1 }]);
  expect(shared.get(key)).toBe(shared.get(key));
});

test("kinds are told apart by what they are, not by their names", () => {
  const shared = createShared();
  expect(shared.get(counted("same").key)).not.toBe(shared.get(counted("same").key));
});

test("two contexts share nothing", () => {
  const { key } = counted("a");
  expect([createShared().get(key).number, createShared().get(key).number]).toEqual([1, 2]);
});

test("closing ends whatever was made, once; what is asked for afterwards, or while it closes, is refused", async () => {
  const shared = createShared();
  const [first, second, never] = [counted("a"), counted("b"), counted("c")];
  shared.get(first.key);
  shared.get(second.key);
  const closing = shared.close();
  expect(shared.isClosed()).toBe(true);
  for (const { key } of [first, never]) expect(() => shared.get(key)).toThrow(ClosedError);
  await closing;
  await shared.close();
  expect([first.closed, second.closed, never.closed]).toEqual([[1], [1], []]);
  for (const { key } of [first, never]) expect(() => shared.get(key)).toThrow(ClosedError);
});

test("a second closing waits until the first is over", async () => {
  const shared = createShared();
  const { promise, resolve } = Promise.withResolvers<void>();
  let ended = false;
  shared.get({ name: "slow", make: () => 1, close: () => promise });
  const both = Promise.all([shared.close(), shared.close().then(() => expect(ended).toBe(true))]);
  ended = true;
  resolve();
  await both;
});

test("what has no ending of its own needs none", async () => {
  const shared = createShared();
  shared.get({ name: "plain", make: () => 1 });
  expect(await shared.close()).toBeUndefined();
});
