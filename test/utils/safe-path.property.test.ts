import { describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { realPathInside } from "../../src/utils/paths/safe-path.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const name = fc.constantFrom("a", "b", "c", "..d", "\u00e9");
const step = fc.oneof({ weight: 3, arbitrary: name }, fc.constantFrom("..", ".", ""));
const path = fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join("/"));
const node = fc.record({
  at: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
  what: fc.oneof(
    fc.constantFrom({ kind: "folder" } as const, { kind: "file" } as const),
    fc.record({ kind: fc.constant("link" as const), to: path, absolute: fc.boolean() }),
  ),
  outside: fc.boolean(),
});

/** What the system itself says: where it leads, or where its deepest existing part leads. */
function oracle(home: string, given: string): { where: string; exists: boolean } | null {
  const real = systemRealpath(`${home}/${given}`);
  if (real !== null) return { where: real, exists: true };
  const steps = given.split("/");
  for (let length = steps.length - 1; length >= 0; length--) {
    const part = `${home}/${steps.slice(0, length).join("/")}`;
    const reached = systemRealpath(part);
    if (reached === null) continue;
    // A link that leads nowhere has no deepest existing part of its own; the next test looks at those.
    if (isThere(join(reached, steps[length] ?? ""))) return null;
    return { where: reached, exists: false };
  }
  return null;
}

function systemRealpath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

describe("realPathInside on random trees", () => {
  test("a path is accepted exactly if it really lies inside", async () => {
    await using dir = await tempDir();
    await fc.assert(
      fc.asyncProperty(
        fc.array(node, { maxLength: 14 }),
        fc.array(path, { maxLength: 12 }),
        async (nodes, paths) => {
          const top = await mkdtemp(join(dir.path, "t-"));
          const home = join(top, "ws");
          for (const folder of [home, join(top, "ws-evil")]) mkdirSync(folder);
          for (const { at, what, outside } of nodes) {
            const place = join(outside ? top : home, at);
            try {
              mkdirSync(join(place, ".."), { recursive: true });
              if (what.kind === "folder") mkdirSync(place, { recursive: true });
              if (what.kind === "file") writeFileSync(place, "");
              if (what.kind === "link")
                symlinkSync(what.absolute ? `${home}/${what.to}` : what.to || ".", place);
            } catch {
              // A node that another one is in the way of is left out.
            }
          }
          for (const given of paths) {
            if (given.trim() === "" || given.startsWith("/")) continue;
            const expected = oracle(home, given);
            const strict = realPathInside(home, given);
            const future = realPathInside(home, given, { missing: "allow" });
            if (strict.ok) expect(systemRealpath(strict.path)).toBe(strict.path);
            if (future.ok) expect(`${future.path}/`.startsWith(`${home}/`)).toBe(true);
            if (expected === null) continue;
            const inside = `${expected.where}/`.startsWith(`${home}/`);
            const reason = strict.ok ? strict.path : strict.reason;
            expect([given, reason]).toEqual([
              given,
              inside ? (expected.exists ? expected.where : "missing") : "outside",
            ]);
            if (!inside) expect(future.ok).toBe(false);
          }
          await rm(top, { recursive: true });
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);
});
