import { expect, test } from "bun:test";
import { createSharedAct } from "../../src/utils/locks/shared-act.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** An act that tells its number, and ends when it is let. */
function countedAct() {
  const ends: PromiseWithResolvers<number>[] = [];
  const act = () => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return end.promise;
  };
  const end = async (number: number) => {
    await waitFor(`act ${number}`, () => ends.length >= number);
    ends[number - 1]?.resolve(number);
  };
  return { act, ends, end };
}

test("who asks while an act goes on gets the next one, and all of them share it", async () => {
  const { act, ends, end } = countedAct();
  const share = createSharedAct<number>();
  const first = share("a", act);
  const [second, third] = [share("a", act), share("a", act)];
  expect(ends).toHaveLength(1);
  await end(1);
  expect(await first).toBe(1);
  await waitFor("the second", () => ends.length === 2);
  const fourth = share("a", act);
  await end(2);
  await end(3);
  expect(await Promise.all([second, third, fourth])).toEqual([2, 2, 3]);
  const alone = share("a", act);
  await end(4);
  expect([await alone, ends.length]).toEqual([4, 4]);
});

test("another key does not wait, and an act that fails lets the next one begin", async () => {
  const { act, ends, end } = countedAct();
  const share = createSharedAct<number>();
  const failing = share("a", act);
  const other = share("b", act);
  const after = share("a", act);
  await end(2);
  expect(await other).toBe(2);
  ends[0]?.reject(new Error("act 1"));
  await expect(failing).rejects.toThrow("act 1");
  await end(3);
  expect(await after).toBe(3);
});
