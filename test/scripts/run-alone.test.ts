/** Holds that a lock of a process that is gone holds up nobody, and that one of a living process does. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(150_000);

/** Plain JavaScript, since it runs before any package is there. */
const SCRIPT = join(import.meta.dir, "../../scripts/run-alone.mjs");
const { runAlone } = await import(SCRIPT);

const never = () => false;

describe("a lock", () => {
  test.each([
    ["without a name", ""],
    ["that was half written", "x"],
    ["of a process that is gone", "4194305"],
    ["of an earlier process with the number of a living one", `${process.pid} 1 another boot`],
  ])("%s is taken over", async (_, content) => {
    await using folder = await tempDir();
    const lock = join(folder.path, "lock");
    await writeFile(lock, content);
    await utimes(lock, 0, 0);
    const seen: string[] = [];
    await runAlone(lock, {
      what: "working",
      isDone: never,
      act: async () => seen.push((await readFile(lock, "utf8")).split(" ")[0] ?? ""),
    });
    expect(seen).toEqual([`${process.pid}`]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("of a living process is waited for; if it did all there was to do, nothing is done again", async () => {
    await using folder = await tempDir();
    const lock = join(folder.path, "lock");
    const done: string[] = [];
    const work = (name: string) =>
      runAlone(lock, {
        what: "working",
        isDone: () => done.length > 0,
        act: async () => {
          await Bun.sleep(50);
          done.push(name);
        },
      });
    await Promise.all([work("first"), work("second")]);
    expect(done).toEqual(["first"]);
  });
});

test(deep("of many processes at a dead lock one works at a time"), async () => {
  await using folder = await tempDir();
  const [lock, notes] = [join(folder.path, "lock"), join(folder.path, "notes")];
  await writeFile(lock, "4194305");
  const program = `
    import { appendFileSync } from "node:fs";
    import { runAlone } from ${JSON.stringify(SCRIPT)};
    const note = (word) => appendFileSync(${JSON.stringify(notes)}, word + " " + process.pid + "\\n");
    const act = async () => {
      note("begins");
      await new Promise((resolve) => setTimeout(resolve, 30));
      note("ends");
    };
    await runAlone(${JSON.stringify(lock)}, { what: "working", isDone: () => false, act });`;
  const command = ["node", "--input-type=module", "--eval", program];
  const ends = await Promise.all(
    Array.from({ length: 6 }, () =>
      exec(command, { cwd: folder.path, env: { PATH: process.env.PATH ?? "" } }),
    ),
  );
  expect(ends).toMatchObject(Array(6).fill({ code: 0 }));
  const lines = (await readFile(notes, "utf8")).trimEnd().split("\n");
  const pids = lines.filter((line) => line.startsWith("begins")).map((line) => line.split(" ")[1]);
  expect(lines).toEqual(pids.flatMap((pid) => [`begins ${pid}`, `ends ${pid}`]));
  expect(new Set(pids).size).toBe(6);
});
