import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { appendFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendInput, endInput, readKeeperState, requestStop, writeSpec } from "../../src/keeper/control.ts";
import { formatOrder, KEEPER_FILES } from "../../src/keeper/files.ts";
import { exec } from "../../src/utils/exec.ts";
import { written } from "../helpers/journey.ts";
import { keeperArgv, specOf, startKeeper } from "../helpers/keeper.ts";
import { LINUX } from "../helpers/need.ts";
import { isRunning } from "../helpers/product.ts";
import { PATH, program } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

const EXITED = { code: 0, signal: null, reason: "exited", message: "", stoppedBackground: 0, left: [] };
const ENDED = { ...EXITED, cutBytes: 0 };

describe("the keeper", () => {
  test("seed 003 Phase 2: the agent is a process, and what it prints and how it ends is written down (departs: under a keeper)", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "echo one; echo two >&2; printf three; exit 5"],
    });
    expect(await kept.exit()).toEqual({ ...ENDED, code: 5 });
    expect([await kept.read("out"), await kept.read("err")]).toEqual(["one\nthree\n", "two\n"]);
    const ending = await kept.ending();
    expect(ending.kind === "exited" && ending.exit.endedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    await waitFor("the keeper to be gone", async () => !(await readKeeperState(kept.dir)).alive);
    expect((await readdir(kept.dir)).sort()).toEqual([
      "err.log",
      "err.places",
      "exit.json",
      "keeper.json",
      "keeper.log",
      "out.jsonl",
      "out.times",
      "spec.json",
    ]);
    expect(await kept.read("log")).toBe("");
  });

  test("tells the signal that ended the agent", async () => {
    await using kept = await startKeeper({ argv: ["sh", "-c", "kill -SEGV $$"] });
    expect(await kept.exit()).toEqual({ ...ENDED, code: null, signal: "SIGSEGV" });
  });

  test("says who keeps and who is kept, and both live", async () => {
    await using kept = await startKeeper({ argv: ["sh", "-c", "echo $$; sleep 300"] });
    const agentPid = Number(
      await waitFor("the agent", () =>
        kept
          .read("out")
          .catch(() => null)
          .then((text) => text || null),
      ),
    );
    const { keeper, alive, exit } = await waitFor("the agent's number", async () => {
      const state = await readKeeperState(kept.dir);
      return state.keeper?.agentPid ? state : null;
    });
    expect([keeper?.pid, keeper?.agentPid, alive, exit]).toEqual([kept.keeperPid, agentPid, true, null]);
    process.kill(kept.keeperPid, "SIGTERM");
    await kept.exit();
  });

  test("makes files that only their owner can read", async () => {
    await using kept = await startKeeper({ argv: ["true"], spec: { stdin: "prompt" }, prompt: "p" });
    await kept.exit();
    for (const name of await readdir(kept.dir))
      expect(`${name} ${((await stat(join(kept.dir, name))).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
  });

  test("gives the agent its own environment and the mark of the run, in the folder of the spec", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", 'echo "$A|$TAZUNA_RUN|$(pwd)"; env | grep -c .'],
      env: { A: "a value" },
      spec: { cwd: "/usr" },
    });
    await kept.exit();
    const [line, count] = (await kept.read("out")).trim().split("\n");
    expect(line).toBe(`a value|${kept.run}|/usr`);
    // PATH, A and TAZUNA_RUN, and PWD, OLDPWD and the like that the shell adds.
    expect(Number(count)).toBeLessThanOrEqual(6);
  });

  test("reads lines of any kind and length", async () => {
    const script = `printf '\\377\\n\\n{"a":"日本"}\\n'; head -c 9000000 /dev/zero | tr '\\0' x; echo; echo end`;
    await using kept = await startKeeper({ argv: ["sh", "-c", script] });
    expect(await kept.exit()).toEqual({ ...EXITED, cutBytes: 615_552 });
    const lines = (await kept.read("out")).split("\n");
    expect(lines.slice(0, 3)).toEqual(["\ufffd", "", '{"a":"日本"}']);
    expect(lines[3]?.slice(-30)).toBe("xxxxxxxxx… [cut: 615552 bytes]");
    expect(lines.slice(4)).toEqual(["end", ""]);
  });

  test("loses nothing of much output, on both streams at once", async () => {
    await using kept = await startKeeper({ argv: ["sh", "-c", "seq 1 300000 & seq 1 300000 >&2; wait"] });
    expect(await kept.exit()).toEqual(ENDED);
    const numbers = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join("");
    expect([(await kept.read("out")) === numbers, (await kept.read("err")) === numbers]).toEqual([
      true,
      true,
    ]);
  });

  test("takes secrets out before a line reaches the disk", async () => {
    const token = `ghp_${"Ab1".repeat(12)}`;
    await using kept = await startKeeper({
      argv: [
        "sh",
        "-c",
        `echo "{\\"v\\":\\"$MY_TOKEN $PLAIN $OTHER\\"}"; echo ${token} short withheld-value >&2`,
      ],
      env: { MY_TOKEN: 'to"ken-value', PLAIN: "plain-value", OTHER: "other-value" },
      spec: { redactNames: ["PLAIN"] },
      secrets: ["withheld-value", "short"],
    });
    await kept.exit();
    expect(await kept.read("out")).toBe('{"v":"[redacted] [redacted] other-value"}\n');
    expect(await kept.read("err")).toBe("[redacted] short [redacted]\n");
    for (const name of ["keeper", "exit", "log"] as const)
      expect(await kept.read(name)).not.toMatch(/withheld-value|plain-value|ken-value/);
  });
});

test("of a line that is too long, no half of a secret reaches the disk", async () => {
  const secret = "correct-horse-battery-staple";
  const head = 8 * 1024 * 1024 - 64 - 10;
  const script = `head -c ${head} /dev/zero | tr '\\0' a; echo ${secret}ghp_0a1b2c3d4e5f6g7h8i9j0a1b2c3d`;
  await using kept = await startKeeper({ argv: ["sh", "-c", script], secrets: [secret] });
  await kept.exit();
  const out = await kept.read("out");
  expect(out.length).toBeGreaterThan(8_000_000);
  expect(out.slice(-60)).not.toContain("correct");
  expect(out).toMatch(/a… \[cut: \d+ bytes\]\n$/);
});

describe("the agent's input", () => {
  test("is nothing", async () => {
    await using kept = await startKeeper({ argv: ["sh", "-c", "cat; echo end"] });
    await kept.exit();
    expect(await kept.read("out")).toBe("end\n");
  });

  test("is a prompt of any size and content", async () => {
    const prompt = `$(id) "quoted" 日本語\n${"line of the prompt\n".repeat(20_000)}`;
    await using kept = await startKeeper({ argv: ["cat"], spec: { stdin: "prompt" }, prompt });
    expect(await kept.exit()).toEqual(ENDED);
    expect((await kept.read("out")) === prompt).toBe(true);
  });

  test("may be left unread", async () => {
    await using kept = await startKeeper({
      argv: ["true"],
      spec: { stdin: "prompt" },
      prompt: "x".repeat(500_000),
    });
    expect(await kept.exit()).toEqual(ENDED);
  });

  test("is the lines that the server appends, until it says that there are no more", async () => {
    await using kept = await startKeeper({ argv: ["cat"], spec: { stdin: "lines" } });
    await appendInput(kept.dir, '{"one":1}');
    await waitFor("the echo", async () => (await kept.read("out").catch(() => "")) === '{"one":1}\n');
    await appendInput(kept.dir, "two");
    await appendInput(kept.dir, "three");
    await endInput(kept.dir);
    expect(await kept.exit()).toEqual(ENDED);
    expect(await kept.read("out")).toBe('{"one":1}\ntwo\nthree\n');
    expect(appendInput(kept.dir, "a\nb")).rejects.toThrow("line feed");
  });

  test("is whole although a killed server, or a full disk, left half a line", async () => {
    await using kept = await startKeeper({ argv: ["cat"], spec: { stdin: "lines" } });
    const half = (text: string) => appendFile(join(kept.dir, KEEPER_FILES.in), text);
    await half('{"answer":"');
    await appendInput(kept.dir, '{"answer":"手綱"}');
    await half('{"of another');
    await appendInput(kept.dir, '{"two":2}');
    await endInput(kept.dir);
    expect(await kept.exit()).toEqual(ENDED);
    expect(await kept.read("out")).toBe('{"answer":"手綱"}\n{"two":2}\n');
  });

  test("reaches the agent also if it was complete before the keeper started", async () => {
    await using kept = await startKeeper({
      argv: ["cat"],
      spec: { stdin: "lines" },
      prepare: async (dir) => {
        await appendInput(dir, "early");
        await endInput(dir);
      },
    });
    await kept.exit();
    expect(await kept.read("out")).toBe("early\n");
  });
});

describe.skipIf(LINUX.missing)(`the keeper stops the whole tree${LINUX.why}`, () => {
  test(deep("at the time limit"), async () => {
    await using kept = await startKeeper({ argv: [program("hold-pipe.sh")], spec: { timeoutMs: 3000 } });
    expect(await kept.exit()).toMatchObject({
      reason: "timed_out",
      message: "The agent took longer than 3 s.",
      left: [],
    });
    expect(await kept.read("out")).toContain("started\n");
    expect(await kept.left()).toEqual([]);
  });

  test("when the server asks, in the grace time that it names", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "trap 'echo bye; exit 4' TERM; echo started; sleep 300 & wait"],
      spec: { graceMs: 0 },
    });
    await waitFor("the agent", async () => (await kept.read("out").catch(() => "")) !== "");
    await requestStop(kept.dir, { graceMs: 30_000 });
    await requestStop(kept.dir, { graceMs: 30_000 });
    expect(await kept.exit()).toMatchObject({
      code: 4,
      reason: "stopped",
      message: "The agent was stopped on request.",
    });
    expect(await kept.read("out")).toBe("started\nbye\n");
    expect(await kept.left()).toEqual([]);
  });

  test.each([
    ["when the server asks", "The agent was stopped on request."],
    ["on TERM to itself", "The agent's keeper was told to end (SIGTERM)."],
  ])(
    "%s, while what stands beside the agent never says that it is ready: the agent is not begun",
    async (how, message) => {
      await using dir = await tempDir();
      const pidFile = join(dir.path, "pid");
      await using kept = await startKeeper({
        argv: ["sh", "-c", "echo started"],
        spec: { beside: ["/bin/sh", "-c", `echo $$ > ${pidFile}; exec sleep 900`] },
      });
      const pid = Number(await written(pidFile));
      if (how === "on TERM to itself") process.kill(kept.keeperPid, "SIGTERM");
      else await requestStop(kept.dir, { graceMs: 30_000 });
      expect(await kept.exit()).toMatchObject({ code: null, reason: "stopped", message, left: [] });
      expect(isRunning(pid)).toBe(false);
      expect(await kept.read("out").catch(() => "")).toBe("");
    },
  );

  test("on TERM to itself, grandchildren in sessions of their own that ignore TERM included", async () => {
    await using kept = await startKeeper({ argv: [program("escape-session.sh")] });
    await waitFor("the whole tree", async () => (await kept.left()).length >= 3);
    process.kill(kept.keeperPid, "SIGTERM");
    expect(await kept.exit()).toMatchObject({
      reason: "stopped",
      message: "The agent's keeper was told to end (SIGTERM).",
      left: [],
    });
    expect(await kept.left()).toEqual([]);
  });

  test("that the agent left behind when it ended", async () => {
    for (const way of ["quiet", "session", "printing"]) {
      await using kept = await startKeeper({ argv: [program("leave-behind.sh"), way] });
      const exit = await kept.exit();
      expect(exit).toMatchObject({ code: 3, reason: "exited", left: [] });
      expect(Number(exit?.stoppedBackground)).toBeGreaterThan(0);
      expect(await kept.left()).toEqual([]);
    }
  });

  test("but not on HUP: the agent works on", async () => {
    await using kept = await startKeeper({ argv: ["cat"], spec: { stdin: "lines" } });
    await waitFor("the agent", async () => (await readKeeperState(kept.dir)).keeper?.agentPid);
    process.kill(kept.keeperPid, "SIGHUP");
    await appendInput(kept.dir, "still here");
    await endInput(kept.dir);
    expect(await kept.exit()).toEqual(ENDED);
    expect(await kept.read("out")).toBe("still here\n");
  });
});

describe("the stall clock", () => {
  test("stops an agent that says nothing", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "echo working; sleep 300"],
      spec: { stallMs: 300 },
    });
    expect(await kept.exit()).toMatchObject({
      reason: "stalled",
      message: "The agent said nothing for 0.3 s.",
    });
  });

  test(deep("waits while a tool runs, and counts again when it has ended"), async () => {
    const script = "echo 'tool 1'; sleep 5; echo 'tool 0'; sleep 300";
    await using kept = await startKeeper({ argv: ["sh", "-c", script], spec: { stallMs: 2500 } });
    expect(await kept.exit()).toMatchObject({ reason: "stalled" });
    expect(await kept.read("out")).toBe("tool 1\ntool 0\n");
  });

  test(deep("starts again with every line, on stderr and of input too"), async () => {
    const script = "for n in 1 2 3 4 5 6 7 8; do sleep 0.8; echo $n >&2; done; echo done";
    await using kept = await startKeeper({ argv: ["sh", "-c", script], spec: { stallMs: 5000 } });
    expect(await kept.exit()).toEqual(ENDED);
  });

  test("is not broken by a line that its reader stumbles over", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "echo throw; echo fine"],
      spec: { stallMs: 60_000 },
    });
    expect(await kept.exit()).toEqual(ENDED);
    expect(await kept.read("out")).toBe("throw\nfine\n");
  });
});

describe("output without end", () => {
  const line = (n: number) => `line ${String(n).padStart(194, "0")}`;

  test("ends no run: the beginning and the end are kept in whole lines, with notes of what is missing", async () => {
    await using kept = await startKeeper({
      argv: ["awk", 'BEGIN { for (n = 1; n <= 50000; n++) printf "line %0194d\\n", n; print "done" }'],
      spec: { outBytes: 534 * 1024 },
    });
    const { cutBytes, ...exit } = (await kept.exit()) ?? {};
    expect(exit).toEqual(EXITED);
    const lines = (await kept.read("out")).trimEnd().split("\n");
    const begins = lines.findIndex((text) => text.startsWith("… [cut: "));
    expect(lines.slice(0, begins)).toEqual(Array.from({ length: 1025 }, (_, at) => line(at + 1)));
    expect(lines[begins]).toBe(
      "… [cut: the agent printed more than is kept, and lines are missing from here on]",
    );
    const newest = lines.slice(begins + 2);
    expect(newest.length).toBeGreaterThan(200);
    const first = 50_002 - newest.length;
    expect(newest).toEqual([...newest.slice(0, -1).map((_, at) => line(first + at)), "done"]);
    const missing = first - 1 - 1025;
    expect(lines[begins + 1]).toBe(`… [cut: ${missing} lines, ${missing * 200} bytes up to here]`);
    expect(cutBytes).toBe(missing * 200);
    expect((await kept.read("out")).length).toBeLessThanOrEqual(534 * 1024);
  });

  test("keeps what counts and what asks, at once and in order", async () => {
    await using folder = await tempDir();
    const many = (word: string) => `awk 'BEGIN { for (n = 1; n <= 3000; n++) print "${word}" n }'`;
    const asked = `while ! grep -q "^asks 1$" "${folder.path}/out.jsonl"; do :; done`;
    const script = `${many("detail")}; echo counts 1; ${many("more")}; echo asks 1; ${asked}; echo after; echo ends 1; echo last`;
    await using kept = await startKeeper({
      argv: ["sh", "-c", script],
      spec: { outBytes: 64 * 1024 },
      dir: folder.path,
    });
    expect(await kept.exit()).toMatchObject({ reason: "exited", code: 0 });
    const lines = (await kept.read("out")).trimEnd().split("\n");
    const told = lines.filter((text) => !/^(detail|more)\d+$/.test(text)).map((text) => text.slice(0, 8));
    expect(told).toEqual(["… [cut: ", "counts 1", "asks 1", "… [cut: ", "after", "ends 1", "last"]);
  });

  test("nor does one line without an end", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "head -c 30000000 /dev/zero | tr '\\0' x"],
      spec: { outBytes: 96 * 1024 * 1024 },
    });
    const kept8 = 8 * 1024 * 1024 - 64 - 4096;
    expect(await kept.exit()).toEqual({ ...EXITED, cutBytes: 30_000_000 - kept8 });
    const out = await kept.read("out");
    expect(out === `${"x".repeat(kept8)}… [cut: ${30_000_000 - kept8} bytes]\n`).toBe(true);
  });

  test("counts what earlier starts of the run have printed", async () => {
    const limit = 32 * 1024;
    await using kept = await startKeeper({
      argv: ["sh", "-c", "seq 1 100; echo more"],
      spec: { outBytes: limit },
      prepare: (dir) => writeFile(join(dir, "out.jsonl"), `${"x".repeat(28 * 1024 - 1)}\n`),
    });
    expect(await kept.exit()).toMatchObject({ reason: "exited", code: 0 });
    const text = await kept.read("out");
    const [, ...lines] = text.trimEnd().split("\n");
    const begins = lines.findIndex((line) => line.startsWith("… [cut"));
    expect(lines.slice(0, begins)).toEqual(Array.from({ length: 12 }, (_, at) => String(at + 1)));
    expect(lines.slice(-2)).toEqual(["100", "more"]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  });

  test("on stderr is cut in the same way, and the agent works on", async () => {
    const limit = 200 * 1024;
    await using kept = await startKeeper({
      argv: ["sh", "-c", "seq 1 300000 >&2; echo done"],
      spec: { errBytes: limit },
    });
    const { cutBytes, ...exit } = (await kept.exit()) ?? {};
    expect(exit).toEqual(EXITED);
    const text = await kept.read("err");
    const lines = text.trimEnd().split("\n");
    const begins = lines.findIndex((line) => line.startsWith("… [cut"));
    const newest = lines.slice(begins + 2);
    expect(begins).toBe(600);
    expect(lines.slice(0, begins)).toEqual(Array.from({ length: begins }, (_, at) => String(at + 1)));
    expect(newest.length).toBe(150);
    expect(newest).toEqual(newest.map((_, at) => String(300_000 - newest.length + 1 + at)));
    const missing = Array.from({ length: 300_000 - 750 }, (_, at) => `${at + 601}\n`).join("").length;
    expect(cutBytes).toBe(missing);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(await kept.read("out")).toBe("done\n");
  });

  test("stays within its limit whatever the lines are", async () => {
    const limit = 100 * 1024;
    const bytes = "head -c 3000000 /dev/urandom";
    const secrets = 'awk \'BEGIN { for (n = 0; n < 60000; n++) printf "12345678%s", n % 700 ? "" : "\\n" }\'';
    const asks =
      "awk 'BEGIN { for (n = 0; n < 5000; n++) printf \"asks %0100d\\ncounts %0300d\\nends %0100d\\n\", n, n, n }'";
    const script = `for what in out err; do [ $what = err ] && exec >&2; ${bytes}; echo; ${secrets}; ${asks}; done`;
    await using kept = await startKeeper({
      argv: ["sh", "-c", script],
      spec: { outBytes: limit, errBytes: limit },
      secrets: ["12345678"],
    });
    expect(await kept.exit()).toMatchObject({ reason: "exited", code: 0 });
    for (const name of ["out", "err"] as const) {
      const { size } = await stat(join(kept.dir, KEEPER_FILES[name]));
      expect(size).toBeLessThanOrEqual(limit);
      expect(size).toBeGreaterThan(limit / 4);
    }
  });

  test("a question that can be kept no more is answered, so that its agent does not wait endlessly", async () => {
    const script = `seq -f 'asks %.0f' 1 2000; IFS= read -r said; echo "$said" >&2`;
    await using kept = await startKeeper({
      argv: ["sh", "-c", script],
      spec: { stdin: "lines", outBytes: 64 * 1024 },
    });
    expect(await kept.exit()).toMatchObject({ reason: "exited", code: 0 });
    const asked = (await kept.read("out")).split("\n").filter((line) => line.startsWith("asks ")).length;
    // The head's, and half of those of the middle: the other half is for answers.
    expect(asked).toBe(192 + 12);
    expect(await kept.read("err")).toBe(`refused asks ${asked + 1}\n`);
  });

  test("so is what asks too often, however much room there is", async () => {
    const script = `seq -f 'asks %.0f' 1 10001; IFS= read -r said; echo "$said" >&2`;
    await using kept = await startKeeper({ argv: ["sh", "-c", script], spec: { stdin: "lines" } });
    expect(await kept.exit()).toMatchObject({ reason: "exited", code: 0 });
    expect(await kept.read("err")).toBe("refused asks 10001\n");
  });
});

describe("an agent that cannot start", () => {
  const failed = (why: string) => ({
    ...ENDED,
    code: null,
    reason: "spawn_failed",
    message: `The agent could not be started: ${why}.`,
  });

  test("is reported with its reason", async () => {
    await using missing = await startKeeper({ argv: ["tazuna-no-such-agent"] });
    expect(await missing.exit()).toEqual(failed("tazuna-no-such-agent was not found on the PATH"));
    await using folder = await startKeeper({ argv: ["true"], spec: { cwd: "/no/such/folder" } });
    expect(await folder.exit()).toEqual(failed("the folder /no/such/folder does not exist"));
  });

  test("since its prompt is missing", async () => {
    await using kept = await startKeeper({ argv: ["cat"], spec: { stdin: "prompt" } });
    expect(await kept.exit()).toMatchObject({
      reason: "spawn_failed",
      message: expect.stringContaining("prompt.txt"),
    });
  });

  test("since its spec is missing, damaged or of another run", async () => {
    const damages = [
      (dir: string) => rm(join(dir, "spec.json")),
      (dir: string) => writeFile(join(dir, "spec.json"), "{"),
      (dir: string) => writeFile(join(dir, "spec.json"), '{"run":"another","argv":["true"]}'),
      (dir: string) => writeFile(join(dir, "spec.json"), "[]"),
    ];
    for (const prepare of damages) {
      await using kept = await startKeeper({ argv: ["true"], prepare });
      expect(await kept.exit()).toEqual(failed("spec.json is missing, damaged or of another run"));
    }
  });
});

describe("a keeper that is started ahead", () => {
  test("does and writes nothing if no whole order comes", async () => {
    await using folder = await tempDir();
    const run = randomUUID();
    await writeSpec(folder.path, specOf(run, { argv: ["touch", join(folder.path, "worked")] }), {
      prompt: null,
    });
    const whole = formatOrder({ env: { PATH }, secrets: [] });
    for (const text of ["", whole.slice(0, -1), "[]", '{"env":{"A":1},"secrets":[]}', '{"env":{"A":"b"}}']) {
      const ended = await exec(keeperArgv(run, folder.path), {
        cwd: folder.path,
        env: { PATH },
        stdin: { text },
      });
      expect(ended).toMatchObject({ started: true, code: 4, stdout: "", stderr: "" });
    }
    expect(await readdir(folder.path)).toEqual(["spec.json"]);
  });
});

describe("one run", () => {
  test("has one keeper: a second one starts nothing and changes nothing", async () => {
    await using kept = await startKeeper({
      argv: ["sh", "-c", "echo once; read line; echo $line"],
      spec: { stdin: "lines" },
    });
    await waitFor("the agent", async () => (await kept.read("out").catch(() => "")) === "once\n");
    await waitFor("its number", async () => (await readKeeperState(kept.dir)).keeper?.agentPid);
    const before = await kept.read("keeper");
    const order = { text: formatOrder({ env: { PATH }, secrets: [] }) };
    const again = { cwd: kept.dir, env: { PATH }, stdin: order };
    const second = await exec(keeperArgv(kept.run, kept.dir), again);
    expect(second).toMatchObject({ started: true, code: 3, stdout: "", stderr: "" });
    await appendInput(kept.dir, "go on");
    expect(await kept.exit()).toEqual(ENDED);
    const third = await exec(keeperArgv(kept.run, kept.dir), again);
    expect(third).toMatchObject({ started: true, code: 3 });
    expect([await kept.read("out"), await kept.read("keeper")]).toEqual(["once\ngo on\n", before]);
  });
});

describe.skipIf(LINUX.missing)(
  `an agent whose sandbox ended before it began, since a socket was gone${LINUX.why}`,
  () => {
    /** Something that says what bubblewrap would, as often as told, and starts the program then. */
    const sandbox = async (folder: string, misses: number) => {
      const [file, bwrap, counted] = ["socket", "bwrap", "starts"].map((name) => join(folder, name));
      await writeFile(file ?? "", "");
      const script = `#!/bin/sh
echo start >> '${counted}'
[ $(wc -l < '${counted}') -gt ${misses} ] || { echo "bwrap: Can't create file at ${file}: Read-only file system" >&2; exit 1; }
while [ "$1" != -- ]; do shift; done; shift; exec "$@"
`;
      await writeFile(bwrap ?? "", script, { mode: 0o700 });
      const options = ["--die-with-parent", ...["--ro-bind", "/", "/"], "--ro-bind", "/dev/null", file ?? ""];
      return [bwrap ?? "", ...options, "--"];
    };

    test.each(["prompt", "lines"] as const)("is started again, and reads all of its %s", async (stdin) => {
      await using dir = await tempDir();
      await using kept = await startKeeper({
        argv: [...(await sandbox(dir.path, 3)), "sh", "-c", "cat; echo said"],
        prompt: "the prompt\n",
        spec: { stdin, wrapped: true },
        prepare: async (folder) => {
          await appendInput(folder, "a line");
          await endInput(folder);
        },
      });
      expect(await kept.exit()).toEqual(ENDED);
      expect(await kept.read("out")).toBe(stdin === "prompt" ? "the prompt\nsaid\n" : "a line\nsaid\n");
      const state = await readKeeperState(kept.dir);
      expect(state.keeper?.agentPid).toBeGreaterThan(0);
    });

    test("is reported as not held if that goes on", async () => {
      await using dir = await tempDir();
      await using kept = await startKeeper({
        argv: [...(await sandbox(dir.path, 1000)), "true"],
        spec: { wrapped: true },
      });
      const message = expect.stringMatching(
        /^The sandbox could not be made: 20 times in a row bwrap: Can't create/,
      );
      expect(await kept.exit()).toEqual({ ...ENDED, code: null, reason: "not_held", message });
    });

    test("is stopped on request after that", async () => {
      await using dir = await tempDir();
      await using kept = await startKeeper({
        argv: [...(await sandbox(dir.path, 2)), "sh", "-c", "echo up; sleep 300"],
        spec: { wrapped: true, timeoutMs: 100_000 },
      });
      await waitFor("the agent to be up", async () => (await kept.read("out").catch(() => "")) === "up\n");
      await requestStop(kept.dir, { graceMs: 100 });
      expect(await kept.exit()).toMatchObject({ reason: "stopped" });
      expect(await kept.left()).toEqual([]);
    });
  },
);
