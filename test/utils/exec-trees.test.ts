import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exec } from "../../src/utils/exec.ts";
import { LINUX } from "../helpers/need.ts";
import { program, taggedEnv } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(240_000);

/** The programs live for 300 s; a loaded machine needs far less to stop them. */
const SOON_MS = 60_000;
/** On a loaded machine a program has begun long before. */
const LIMIT_MS = 3000;

async function run(
  argv: readonly string[],
  options: Omit<Parameters<typeof exec>[1], "cwd"> & { readonly cwd?: string },
): Promise<Extract<Awaited<ReturnType<typeof exec>>, { started: true }>> {
  const result = await exec(argv, { cwd: "/", graceMs: 200, ...options });
  if (!result.started) throw new Error(result.error.message);
  return result;
}

describe.skipIf(LINUX.missing)(`at the time limit exec stops the whole tree${LINUX.why}`, () => {
  const rows = [
    { what: "a program that obeys TERM", argv: ["sh", "-c", "echo started; sleep 300"] },
    { what: "a program that ignores TERM", argv: [program("ignore-term.sh")] },
    { what: "a grandchild that ignores TERM and holds the pipe", argv: [program("hold-pipe.sh")] },
    { what: "a program that forks all the time", argv: [program("fork-storm.sh")] },
    { what: "a program that prints for ever", argv: ["sh", "-c", "echo started; yes"] },
  ];
  for (const { what, argv } of rows) {
    test.concurrent(what, async () => {
      await using tagged = taggedEnv();
      const result = await run(argv, {
        env: tagged.env,
        timeoutMs: LIMIT_MS,
        maxOutputBytes: 100_000,
      });
      expect([result.timedOut, result.canceled, result.stoppedBackground]).toEqual([true, false, 0]);
      expect(result.stdout).toContain("started\n");
      expect(result.durationMs).toBeLessThan(SOON_MS);
      expect(await tagged.left()).toEqual([]);
    });
  }

  test.concurrent("an orphan in a session of its own, found by the marker", async () => {
    await using tagged = taggedEnv();
    const result = await run([program("escape-session.sh")], {
      env: tagged.env,
      marker: tagged.tag,
      timeoutMs: LIMIT_MS,
    });
    expect(result.timedOut).toBe(true);
    expect(await tagged.left()).toEqual([]);
  });

  test.concurrent("and tells the exit code of a program that ends in its grace time", async () => {
    await using tagged = taggedEnv();
    const script = "trap 'echo bye; exit 9' TERM; echo started; sleep 300 & wait";
    const result = await run(["sh", "-c", script], {
      env: tagged.env,
      timeoutMs: LIMIT_MS,
      graceMs: 30_000,
    });
    expect([result.timedOut, result.code, result.stdout]).toEqual([true, 9, "started\nbye\n"]);
    expect(await tagged.left()).toEqual([]);
  });

  test("also when the caller aborts", async () => {
    await using tagged = taggedEnv();
    const changedMind = new AbortController();
    const result = await run([program("hold-pipe.sh")], {
      env: tagged.env,
      signal: changedMind.signal,
      onStdout: (text) => {
        if (text.includes("child")) changedMind.abort();
      },
    });
    expect([result.timedOut, result.canceled, result.signal]).toEqual([false, true, "SIGTERM"]);
    expect(await tagged.left()).toEqual([]);
  });
});

describe.skipIf(LINUX.missing)(
  `when a program leaves processes behind, exec stops and counts them${LINUX.why}`,
  () => {
    test("if they hold the pipe and ignore TERM", async () => {
      await using tagged = taggedEnv();
      const result = await run([program("hold-pipe.sh"), "exit"], { env: tagged.env, timeoutMs: 60_000 });
      expect([result.timedOut, result.code, result.stoppedBackground > 0]).toEqual([false, 7, true]);
      expect(result.stdout).toContain("started\n");
      expect(result.durationMs).toBeLessThan(SOON_MS);
      expect(await tagged.left()).toEqual([]);
    });

    test("if they closed their streams", async () => {
      await using tagged = taggedEnv();
      const result = await run([program("leave-behind.sh"), "quiet"], { env: tagged.env, timeoutMs: 60_000 });
      expect([result.timedOut, result.code, result.stdout, result.stoppedBackground]).toEqual([
        false,
        3,
        "started\n",
        1,
      ]);
      expect(await tagged.left()).toEqual([]);
    });

    test("if they went to sessions of their own, by the marker", async () => {
      await using tagged = taggedEnv();
      const result = await run([program("leave-behind.sh"), "session"], {
        env: tagged.env,
        marker: tagged.tag,
      });
      expect([result.code, result.stdout, result.stoppedBackground > 0]).toEqual([3, "started\n", true]);
      expect(await tagged.left()).toEqual([]);
    });

    test("if they print without end", async () => {
      await using tagged = taggedEnv();
      const result = await run([program("leave-behind.sh"), "printing"], {
        env: tagged.env,
        maxOutputBytes: 1_000_000,
      });
      expect([result.timedOut, result.code, result.stoppedBackground > 0]).toEqual([false, 3, true]);
      expect(result.stdout).toContain("started\n");
      expect(await tagged.left()).toEqual([]);
    });

    test("and loses nothing that was written before", async () => {
      await using tagged = taggedEnv();
      await using dir = await tempDir();
      const script = `(seq 1 200000; echo done >&2; : > flag; sleep 300) & while [ ! -e flag ]; do sleep 0.01; done`;
      const result = await run(["sh", "-c", script], { env: tagged.env, cwd: dir.path });
      const numbers = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("");
      expect(result.stdout === numbers).toBe(true);
      expect([result.stderr, result.stoppedBackground > 0]).toEqual(["done\n", true]);
    });
  },
);

describe.skipIf(LINUX.missing)(`without a marker${LINUX.why}`, () => {
  test("what left for a session of its own lives on, and is not waited for", async () => {
    await using tagged = taggedEnv();
    const result = await run([program("leave-behind.sh"), "open-session"], { env: tagged.env });
    expect([result.code, result.stdout, result.stoppedBackground]).toEqual([3, "started\n", 0]);
    expect(result.durationMs).toBeLessThan(SOON_MS);
    await waitFor("the daemon to live on", async () => (await tagged.left()).length > 0);
  });
});
