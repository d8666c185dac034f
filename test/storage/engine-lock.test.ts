import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EngineLock, takeEngineLock } from "../../src/storage/engine-lock.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

const PROGRAM = join(import.meta.dir, "programs/hold-engine-lock.ts");

/** Another process that takes the lock and keeps it. */
async function otherProcess(dataFolder: string) {
  const child = Bun.spawn([process.execPath, PROGRAM, dataFolder], { stdout: "pipe", cwd: "/" });
  const lines: string[] = [];
  const reading = (async () => {
    for await (const chunk of child.stdout) lines.push(...new TextDecoder().decode(chunk).trim().split("\n"));
  })();
  const said = async (line: string, times = 1) =>
    waitFor(`the other process to say ${line}`, () => lines.filter((one) => one === line).length >= times);
  await waitFor("the other process to answer", () => lines.length > 0);
  return {
    answer: lines[0],
    said,
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
  };
}

function taken(dataFolder: string): EngineLock {
  const lock = takeEngineLock(dataFolder)._unsafeUnwrap();
  if (lock === "held") throw new Error("the lock is held");
  return lock;
}

const answerOf = (dataFolder: string) => {
  const result = takeEngineLock(dataFolder);
  if (result.isErr()) return result.error.code;
  if (result.value === "held") return "held";
  result.value.release();
  return "taken";
};

describe("the engine lock", () => {
  test("is taken by one process at a time, and freed when it is released", async () => {
    await using folder = await tempDir();
    const lock = taken(folder.path);
    const other = await otherProcess(folder.path);
    expect(other.answer).toBe("held");
    await other.kill();
    expect(answerOf(folder.path)).toBe("held");
    lock.release();
    lock.release();
    const next = await otherProcess(folder.path);
    expect([next.answer, answerOf(folder.path)]).toEqual(["taken", "held"]);
    await next.kill();
  });

  test("is kept although its holder forgets it and collects its garbage", async () => {
    await using folder = await tempDir();
    const other = await otherProcess(folder.path);
    expect(other.answer).toBe("taken");
    for (let round = 1; round <= 5; round++) {
      await other.said("collected", round * 3);
      expect(answerOf(folder.path)).toBe("held");
    }
    await other.kill();
  });

  test("is freed by the kernel when its holder is killed", async () => {
    await using folder = await tempDir();
    for (let round = 0; round < 3; round++) {
      const other = await otherProcess(folder.path);
      expect([other.answer, answerOf(folder.path)]).toEqual(["taken", "held"]);
      await other.kill();
      expect(answerOf(folder.path)).toBe("taken");
    }
  });

  test("is one lock by whatever path the folder is reached", async () => {
    await using folder = await tempDir();
    mkdirSync(join(folder.path, "data"));
    symlinkSync(join(folder.path, "data"), join(folder.path, "link"));
    const other = await otherProcess(join(folder.path, "link"));
    expect([other.answer, answerOf(join(folder.path, "data"))]).toEqual(["taken", "held"]);
    await other.kill();
  });

  test("is taken by exactly one of many that ask at the same moment", async () => {
    await using folder = await tempDir();
    const others = await Promise.all(Array.from({ length: 6 }, () => otherProcess(folder.path)));
    expect(others.map(({ answer }) => answer).sort()).toEqual([
      "held",
      "held",
      "held",
      "held",
      "held",
      "taken",
    ]);
    for (const other of others) await other.kill();
  });

  test("says what is wrong if it cannot be taken at all", async () => {
    await using folder = await tempDir();
    expect(answerOf(join(folder.path, "nowhere"))).toBe("database_unreachable");
    writeFileSync(join(folder.path, "engine.lock"), "something else entirely, long enough to be looked at");
    const error = takeEngineLock(folder.path)._unsafeUnwrapErr();
    expect(error.code).toBe("database_corrupt");
    expect(error.message).toContain(join(folder.path, "engine.lock"));
    expect(error.remedy).toContain(`\`mv ${join(folder.path, "engine.lock")} `);
  });
});
