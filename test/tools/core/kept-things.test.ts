import { expect, test } from "bun:test";
import { createShared, type SharedKey } from "../../../src/tools/core/kept-things.ts";

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

test("closing ends whatever was made, once; what is asked for afterwards is new", async () => {
  const shared = createShared();
  const [first, second, never] = [counted("a"), counted("b"), counted("c")];
  shared.get(first.key);
  shared.get(second.key);
  await shared.close();
  await shared.close();
  expect([first.closed, second.closed, never.closed]).toEqual([[1], [1], []]);
  expect(shared.get(first.key)).toEqual({ number: 2 });
});

test("what has no ending of its own needs none", async () => {
  const shared = createShared();
  shared.get({ name: "plain", make: () => 1 });
  expect(await shared.close()).toBeUndefined();
});
