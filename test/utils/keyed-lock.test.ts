import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createKeyedLock } from "../../src/utils/locks/keyed-lock.ts";

describe("the keyed lock", () => {
  test("lets one in at a time for a key, in the order of asking, and keeps no key", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom("a", "b", "c")), async (scheduler, keys) => {
        const lock = createKeyedLock();
        const inside = new Set<string>();
        const order: Record<string, number[]> = { a: [], b: [], c: [] };
        const runs = keys.map((key, index) =>
          lock.run(key, async () => {
            expect(inside.has(key)).toBe(false);
            inside.add(key);
            order[key]?.push(index);
            await scheduler.schedule(Promise.resolve());
            inside.delete(key);
            return index;
          }),
        );
        await scheduler.waitFor(Promise.all(runs));
        expect(await Promise.all(runs)).toEqual(keys.map((_, index) => index));
        for (const key of ["a", "b", "c"])
          expect(order[key]).toEqual(keys.flatMap((other, index) => (other === key ? index : [])));
        expect(lock.heldKeys()).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test("lets other keys go on meanwhile", async () => {
    const lock = createKeyedLock();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = lock.run("slow", () => gate);
    expect(await lock.run("quick", () => "done")).toBe("done");
    expect(lock.heldKeys()).toBe(1);
    open();
    await slow;
  });

  test("hands an error to its caller only, and lets the next one in", async () => {
    const lock = createKeyedLock();
    const broken = lock.run("key", () => {
      throw new Error("broken");
    });
    const next = lock.run("key", () => "next");
    await expect(broken).rejects.toThrow("broken");
    expect(await next).toBe("next");
    expect(lock.heldKeys()).toBe(0);
  });
});
