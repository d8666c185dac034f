import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { ToolProgress } from "../../../../src/tools/core/tool.ts";
import { runCommand } from "../../../../src/tools/exec/exec_command/usecase.ts";
import { LINUX } from "../../../helpers/need.ts";
import { program } from "../../../helpers/programs.ts";
import { deep } from "../../../helpers/tier.ts";
import { waitFor } from "../../../helpers/wait-for.ts";
import { execWorld } from "./exec-world.ts";

// Real processes on a busy machine.
setDefaultTimeout(240_000);

/** The programs live for 300 s; a loaded machine needs far less to stop them (`bench/exec-command.ts` measures how long). */
const SOON_MS = 60_000;
/** On a loaded machine a program has begun long before. */
const LIMIT_MS = 2000;

describe.skipIf(LINUX.missing)(
  `seed 001 §11: over timeout_ms the command is stopped, with timed_out, 124 and what it said so far${LINUX.why}`,
  () => {
    const rows: readonly [string, readonly string[]][] = [
      ["a command that obeys TERM", ["sh", "-c", "echo started; echo err >&2; sleep 300"]],
      ["a command that ignores TERM", [program("ignore-term.sh")]],
      ["a grandchild that ignores TERM and holds the pipe", [program("hold-pipe.sh")]],
      ["a grandchild that called setsid, was orphaned and ignores TERM", [program("escape-session.sh")]],
      ["a double fork", ["sh", "-c", "((sleep 300; true) &) ; echo started; sleep 300"]],
      ["a command that forks all the time", [program("fork-storm.sh")]],
      ["a command that prints for ever", ["sh", "-c", "echo started; exec yes"]],
      ["a command that reads for ever", ["sh", "-c", "echo started; exec cat /dev/zero >/dev/null"]],
    ];
    for (const [what, command] of rows)
      for (const shell_mode of ["default", "direct"])
        test.concurrent(`seed 001 §3.1, §5, §8 and §11: over timeout_ms it is stopped with 124 and its output so far: ${what}, ${shell_mode}`, async () => {
          await using world = await execWorld();
          const data = await world.run(command, { timeout_ms: LIMIT_MS, shell_mode });
          expect([data.timed_out, data.exit_code]).toEqual([true, 124]);
          expect(data.stdout).toContain("started\n");
          expect(data.duration_ms).toBeGreaterThanOrEqual(LIMIT_MS);
          expect(data.duration_ms).toBeLessThan(SOON_MS);
          expect(await world.left()).toEqual([]);
        });

    test("seed 001 §4.2, §5 and §8: TERM first, then time for the command to end; the answer is 124 in any case", async () => {
      await using world = await execWorld();
      const script = "trap 'echo bye; echo late >&2; exit 9' TERM; echo started; sleep 300 & wait";
      const data = await world.run(["sh", "-c", script], { timeout_ms: LIMIT_MS, shell_mode: "direct" });
      expect([data.exit_code, data.timed_out, data.stdout, data.stderr]).toEqual([
        124,
        true,
        "started\nbye\n",
        "late\n",
      ]);
    });

    test("seed 001 §3.1: timeout_ms is the limit; a command that ends in time is not timed out, even at a short limit", async () => {
      await using world = await execWorld();
      const data = await world.run(["true"], { timeout_ms: 30_000, shell_mode: "direct" });
      expect([data.timed_out, data.exit_code]).toEqual([false, 0]);
      const hurried = await world.run(["sleep", "300"], { timeout_ms: 1, shell_mode: "direct" });
      expect([hurried.timed_out, hurried.exit_code]).toEqual([true, 124]);
      // Far from the usual limit: it is the one that was given.
      expect(hurried.duration_ms).toBeLessThan(20_000);
    });
  },
);

describe.skipIf(LINUX.missing)(
  `a command that ends and leaves background children is no timeout: they are stopped and counted${LINUX.why}`,
  () => {
    const rows: readonly [string, readonly string[]][] = [
      ["that hold its pipes", ["sh", "-c", "sleep 300 & echo started; exit 3"]],
      ["that closed their streams", [program("leave-behind.sh"), "quiet"]],
      ["in sessions of their own", [program("leave-behind.sh"), "session"]],
      ["in sessions of their own, holding the pipe", [program("leave-behind.sh"), "open-session"]],
      ["that print without end", [program("leave-behind.sh"), "printing"]],
    ];
    for (const [what, command] of rows)
      test.concurrent(what, async () => {
        await using world = await execWorld();
        const result = await world.call({ command, timeout_ms: 120_000 });
        if (result.status !== "success") throw new Error(result.message);
        const { timed_out, exit_code, stdout, duration_ms } = result.data;
        expect([timed_out, exit_code, stdout.includes("started\n")]).toEqual([false, 3, true]);
        expect(Number(result.meta?.stopped_background)).toBeGreaterThan(0);
        expect(duration_ms).toBeLessThan(SOON_MS);
        expect(await world.left()).toEqual([]);
      });
  },
);

describe("seed 001 §5: the output is cut by characters, from its beginning", () => {
  const MAX_COUNT = 1000;

  test("seed 001 §3.2, §4.2, §5, §8 and §11: longer output is cut at the limit and marked, each stream by itself, the exit code kept", async () => {
    await using world = await execWorld();
    const script = "head -c 1001 /dev/zero | tr '\\0' a; head -c 5000 /dev/zero | tr '\\0' b >&2; exit 5";
    const data = await world.run(["sh", "-c", script], { max_output_chars: MAX_COUNT });
    expect(data).toMatchObject({
      exit_code: 5,
      stdout: "a".repeat(MAX_COUNT),
      stderr: "b".repeat(MAX_COUNT),
      stdout_truncated: true,
      stderr_truncated: true,
    });
    const only = async (stream: string) => {
      const one = await world.run(["sh", "-c", `head -c 1001 /dev/zero | tr '\\0' c ${stream}`], {
        max_output_chars: MAX_COUNT,
      });
      return [one.stdout_truncated, one.stderr_truncated];
    };
    expect([await only(""), await only(">&2")]).toEqual([
      [true, false],
      [false, true],
    ]);
    const quiet = await world.run(["sh", "-c", "head -c 1000 /dev/zero | tr '\\0' a; echo >&2"], {
      max_output_chars: MAX_COUNT,
    });
    expect([quiet.stdout_truncated, quiet.stderr_truncated, quiet.stdout.length]).toEqual([
      false,
      false,
      MAX_COUNT,
    ]);
  });

  test("seed 001 §5: a character is a UTF-16 unit; a surrogate pair is never split: the cut stops one earlier", async () => {
    await using world = await execWorld();
    const cutOf = async (text: string) => {
      await world.write("text", text);
      const { stdout, stdout_truncated } = await world.run(["cat", "text"], { max_output_chars: MAX_COUNT });
      return [stdout, stdout_truncated] as const;
    };
    const [a, horse] = ["a".repeat(MAX_COUNT - 1), "🐎"];
    expect(await cutOf(`${a}é`)).toEqual([`${a}é`, false]);
    expect(await cutOf(`${a}éb`)).toEqual([`${a}é`, true]);
    expect(await cutOf(`${a}${horse}`)).toEqual([a, true]);
    expect(await cutOf(`${a.slice(1)}${horse}`)).toEqual([`${a.slice(1)}${horse}`, false]);
    expect(await cutOf(`${a.slice(1)}${horse}${horse}`)).toEqual([`${a.slice(1)}${horse}`, true]);
    expect(await cutOf(horse.repeat(MAX_COUNT))).toEqual([horse.repeat(MAX_COUNT / 2), true]);
    expect(await cutOf("あ".repeat(MAX_COUNT + 1))).toEqual(["あ".repeat(MAX_COUNT), true]);
  });

  test("invalid UTF-8 becomes U+FFFD, never where a chunk ends; a byte order mark is kept", async () => {
    await using world = await execWorld();
    const bytes = (text: string) => world.run(["sh", "-c", text]);
    expect((await bytes("printf 'a\\377b'")).stdout).toBe("a\ufffdb");
    expect((await bytes("printf '\\357\\273\\277a'")).stdout).toBe("\ufeffa");
    expect((await bytes("printf '\\343\\201'; sleep 0.05; printf '\\202\\n'")).stdout).toBe("あ\n");
    expect((await bytes("printf 'x\\360\\237\\220'")).stdout).toBe("x\ufffd");
    const cut = await world.run(["sh", "-c", "head -c 5000 /dev/zero | tr '\\0' '\\377'"], {
      max_output_chars: MAX_COUNT,
    });
    expect([cut.stdout, cut.stdout_truncated]).toEqual(["\ufffd".repeat(MAX_COUNT), true]);
    // What ends in the middle of a character at the limit is told by the bytes behind it.
    await world.write("head", "あ".repeat(MAX_COUNT - 1));
    const broken = await world.run(["sh", "-c", "cat head; printf '\\360\\237\\220xyz'"], {
      max_output_chars: MAX_COUNT,
    });
    expect([broken.stdout, broken.stdout_truncated]).toEqual([`${"あ".repeat(MAX_COUNT - 1)}\ufffd`, true]);
  });

  test("seed 001 §3.2: 200,000 characters of each stream unless told", async () => {
    await using world = await execWorld();
    const said = (count: number) =>
      world.run([
        "sh",
        "-c",
        `head -c ${count} /dev/zero | tr '\\0' a; head -c ${count} /dev/zero | tr '\\0' b >&2`,
      ]);
    const exact = await said(200_000);
    expect([
      exact.stdout.length,
      exact.stdout_truncated,
      exact.stderr.length,
      exact.stderr_truncated,
    ]).toEqual([200_000, false, 200_000, false]);
    const more = await said(200_001);
    expect([more.stdout.length, more.stdout_truncated, more.stderr.length, more.stderr_truncated]).toEqual([
      200_000,
      true,
      200_000,
      true,
    ]);
  });

  test("seed 001 §7: output without end is read and dropped, so that the command goes on and memory does not", async () => {
    await using world = await execWorld();
    const before = process.memoryUsage().rss;
    const data = await world.run(["sh", "-c", "head -c 500000000 /dev/zero; exit 7"], {
      max_output_chars: MAX_COUNT,
    });
    expect([data.exit_code, data.stdout.length, data.stdout_truncated, data.timed_out]).toEqual([
      7,
      MAX_COUNT,
      true,
      false,
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
  });
});

describe("seed 001 §4.2: exit_code and duration_ms", () => {
  test("a command that a signal ended has 128 and its number, in both modes", async () => {
    await using world = await execWorld();
    for (const [signal, code] of [
      ["KILL", 137],
      ["TERM", 143],
      ["ABRT", 134],
    ] as const)
      for (const shell_mode of ["default", "direct"]) {
        const data = await world.run(["sh", "-c", `kill -${signal} $$`], { shell_mode });
        expect([signal, shell_mode, data.exit_code, data.timed_out]).toEqual([
          signal,
          shell_mode,
          code,
          false,
        ]);
      }
  });

  test("seed 001 §2 and §3.1: every exit code comes back as it is", async () => {
    await using world = await execWorld();
    for (const code of [0, 1, 2, 124, 126, 127, 255])
      expect((await world.run(["sh", "-c", `exit ${code}`])).exit_code).toBe(code);
  });

  test("seed 001 §3.2, §4.2, §5 and §8: duration_ms is the time that it took, in milliseconds of Date.now()", async () => {
    await using world = await execWorld();
    const began = Date.now();
    const { duration_ms } = await world.run(["sleep", "0.3"]);
    expect(duration_ms).toBeGreaterThanOrEqual(290);
    expect(duration_ms).toBeLessThanOrEqual(Date.now() - began);
  });
});

describe("seed 001 §5: one request is one child, awaited to its end", () => {
  test("seed 001 §1 and §5: 64 requests at once have each its own output and exit code", async () => {
    await using world = await execWorld();
    const numbers = Array.from({ length: 64 }, (_, index) => index);
    const all = await Promise.all(
      numbers.map((n) =>
        world.run(["sh", "-c", `read line; echo $line ${n}; exit ${n}`], {
          stdin: `in ${n}\n`,
          shell_mode: n % 2 === 0 ? "default" : "direct",
        }),
      ),
    );
    expect(all.map(({ stdout, exit_code }) => [stdout, exit_code])).toEqual(
      numbers.map((n) => [`in ${n} ${n}\n`, n]),
    );
  });

  test("seed 001 §4.3: a folder that went after it was looked at is NOT_DIRECTORY", async () => {
    await using world = await execWorld();
    const result = await runCommand({
      cwd: join(world.root, "gone"),
      command: ["true"],
      shellMode: "default",
      stdin: null,
      env: null,
      timeoutMs: 30_000,
      maxOutputChars: 1000,
      host: { platform: process.platform, environment: () => process.env },
    });
    expect(result.isErr() && result.error.error).toMatchObject({ code: "NOT_DIRECTORY", retriable: false });
  });

  test("seed 001 §5: files of an earlier command are there for a later one: the call waits until all is done", async () => {
    await using world = await execWorld();
    await world.run(["sh", "-c", "sleep 0.2; echo late >made"]);
    expect((await world.run(["cat", "made"])).stdout).toBe("late\n");
  });
});

describe("a caller who changes their mind", () => {
  test("before: CANCELED, and nothing is started", async () => {
    await using world = await execWorld();
    const result = await world.call({ command: ["touch", "ran"] }, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      status: "failure",
      reason: "runtime",
      error: { code: "CANCELED", retriable: false },
    });
    expect((await world.run(["ls"])).stdout).toBe("");
  });

  test.skipIf(LINUX.missing)(
    `in the middle: CANCELED, and the whole tree is gone, whatever it ignores and wherever it went${LINUX.why}`,
    async () => {
      for (const name of ["hold-pipe.sh", "escape-session.sh", "ignore-term.sh"]) {
        await using world = await execWorld();
        const changedMind = new AbortController();
        const flag = join(world.root, "began");
        const command = ["sh", "-c", `${program(name)} & sleep 0.3; : >${flag}; wait`];
        const call = world.call({ command }, { signal: changedMind.signal });
        await waitFor("the command to work", () => Bun.file(flag).exists());
        changedMind.abort();
        expect(await call).toMatchObject({
          status: "failure",
          reason: "runtime",
          error: { code: "CANCELED" },
        });
        expect(await world.left()).toEqual([]);
      }
    },
  );

  test("after: nothing changes", async () => {
    await using world = await execWorld();
    const late = new AbortController();
    const result = await world.call({ command: ["echo", "done"] }, { signal: late.signal });
    late.abort();
    expect(result.status).toBe("success");
  });
});

describe("a door that wants to know how far it is", () => {
  test(
    deep("is told every second how long it runs and how much it said, with a number that grows"),
    async () => {
      await using world = await execWorld();
      const told: ToolProgress[] = [];
      const command = ["sh", "-c", "printf 12345; printf 123 >&2; sleep 3.5"];
      await world.call({ command }, { onProgress: (progress) => told.push(progress) });
      expect(told.length).toBeGreaterThanOrEqual(1);
      const numbers = told.map(({ progress }) => progress);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(told.at(-1)?.message).toMatch(/^\d+ s, 5 bytes of stdout, 3 bytes of stderr$/);
    },
  );

  test("is told nothing of a short command", async () => {
    await using world = await execWorld();
    const told: ToolProgress[] = [];
    await world.call({ command: ["true"] }, { onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([]);
  });
});
