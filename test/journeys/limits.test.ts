/** Tells how much runs at once, what a rate limit does, and the limits of an agent's time and silence. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, exists, gate, PATIENCE_MS, processesOf, type TaskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { readDataFolder } from "./crash/data-folder.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });
const NO_LIMITS = { parallel: 8, per_repository: 8, per_login: 4 };

describe("slots", () => {
  let product: Product;

  beforeAll(async () => {
    product = await startProduct();
    for (const name of ["a", "b"]) await product.agent(name, '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  });

  afterAll(() => product[Symbol.asyncDispose]());

  /** An instruction that writes its beginning and its end into a log, and waits at a gate in between. */
  const logged = (log: string, wait: string) =>
    `echo + >> '${log}'; ${wait}; echo one > one.txt; echo - >> '${log}'`;

  /** The most that was between beginning and end at once. */
  async function maxAtOnce(log: string): Promise<number> {
    let now = 0;
    let max = 0;
    for (const sign of (await readFile(log, "utf8")).trim().split("\n")) {
      now += sign === "+" ? 1 : -1;
      max = Math.max(max, now);
    }
    return max;
  }

  const begun = (log: string, count: number) =>
    waitFor(
      `${count} agents`,
      async () => (await readFile(log, "utf8").catch(() => "")).split("\n").length > count,
      { withinMs: 120_000 },
    );

  test.each([
    ["parallel", { ...NO_LIMITS, parallel: 2 }, ["a", "a", "b", "b", "b"]],
    ["per_repository", { ...NO_LIMITS, per_repository: 2 }, ["a", "b", "a", "b", "a"]],
    ["per_login", { ...NO_LIMITS, per_login: 2 }, ["a", "a", "a", "a", "a"]],
  ] as const)(
    "`limits.%s` lets two of five attempts work at a time, and all of them in the end",
    async (name, limits, agents) => {
      await product.configure({ limits });
      const log = join(product.home, `${name}.log`);
      await using barrier = gate(product, name);
      const started = await ask(product, [
        "run",
        logged(log, barrier.wait),
        ...agents.flatMap((agent) => ["--agent", agent]),
        "--detach",
      ]);
      await begun(log, 2);
      const now = await ask(product, ["show", started.document.task.id]);
      const phases = now.attempts.flatMap(({ runs }) => runs.map(({ phase }) => phase));
      expect(phases.filter((phase) => phase === "queued")).toHaveLength(3);
      await barrier.open();
      const end = await ask(product, ["wait", started.document.task.id]);
      expect({
        endings: end.attempts.flatMap(({ runs }) => runs.map(ending)),
        max: await maxAtOnce(log),
      }).toEqual({
        endings: Array(5).fill(PUSHED),
        max: 2,
      });
    },
  );

  test("a cancelled run gives its slot back, although its clean-up waits for the push of another one", async () => {
    await product.configure({ limits: { ...NO_LIMITS, parallel: 2 } });
    await using pushing = gate(product, "cleaning");
    await using working = gate(product, "canceled");
    const hook = join(product.origin, "hooks", "pre-receive");
    await writeFile(hook, `#!/bin/sh\n${pushing.wait}\n`, { mode: 0o755 });
    const pushed = await ask(product, ["run", "echo one > one.txt", "--agent", "a", "--detach"]);
    await pushing.reached();
    const canceled = await ask(product, ["run", working.wait, "--agent", "a", "--detach"]);
    await working.reached();
    const asked = product.start(["cancel", canceled.attempt.id]);
    await waitFor("the worktree to be in the trash", async () => !(await exists(canceled.attempt.worktree)));

    const next = await ask(product, ["run", "true", "--agent", "a"]);
    expect<unknown>(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "no_changes" });
    const states = await ask(product, ["show", canceled.document.task.id]);
    expect([states.run.status, states.attempt.state]).toEqual(["CANCELED", "canceled"]);
    await rm(hook);
    await pushing.open();
    expect((await asked.end).code).toBe(0);
    expect<unknown>(ending((await ask(product, ["wait", pushed.document.task.id])).run)).toEqual(PUSHED);
  });

  test(
    deep("attempts of another repository and of another login need not wait for those that do"),
    async () => {
      await product.configure({ limits: { ...NO_LIMITS, per_repository: 3, per_login: 1 } });
      const other = await product.sandbox.clone(product.origin, "other");
      await using barrier = gate(product, "others");
      const first = await ask(product, [
        "run",
        `${barrier.wait}; echo one > one.txt`,
        "--agent",
        "a",
        "--agent",
        "a",
        "--detach",
      ]);
      await barrier.reached();
      const otherLogin = await ask(product, ["run", "echo one > one.txt", "--agent", "b"]);
      const otherRepository = await ask(product, [
        "run",
        "echo one > one.txt",
        "--agent",
        "b",
        "--repo",
        other,
      ]);
      const now = await ask(product, ["show", first.document.task.id]);
      expect<unknown>({
        others: [ending(otherLogin.run), ending(otherRepository.run)],
        queued: now.attempts
          .flatMap(({ runs }) => runs.map(({ phase }) => phase))
          .filter((phase) => phase === "queued").length,
      }).toEqual({ others: [PUSHED, PUSHED], queued: 1 });
      await barrier.open();
      const end = await ask(product, ["wait", first.document.task.id]);
      expect<unknown>(end.attempts.flatMap(({ runs }) => runs.map(ending))).toEqual([PUSHED, PUSHED]);
    },
  );

  test("seed 003 RunService: PENDING goes to CANCELED before anything of the run was made", async () => {
    await product.configure({ limits: { ...NO_LIMITS, parallel: 1 } });
    await using barrier = gate(product, "queued");
    const first = await ask(product, [
      "run",
      `${barrier.wait}; echo one > one.txt`,
      "--agent",
      "a",
      "--detach",
    ]);
    await barrier.reached();
    const queued = await ask(product, ["run", "echo two > two.txt", "--agent", "b", "--detach"]);
    const canceled = await ask(product, ["cancel", queued.attempt.id]);
    await barrier.open();
    const end = await ask(product, ["wait", first.run.id]);
    expect<unknown>({
      code: canceled.code,
      ending: ending(canceled.run),
      state: canceled.attempt.state,
      started: canceled.run.started_at,
      worktree: await exists(canceled.attempt.worktree),
      first: ending(end.run),
    }).toEqual({
      code: 0,
      ending: { status: "CANCELED", outcome: null },
      state: "removed",
      started: null,
      worktree: false,
      first: PUSHED,
    });
    await product.configure({ limits: NO_LIMITS });
  });

  test(
    deep(
      "an agent that takes longer than `limits.timeout_s` is stopped with all that it started, its edits kept",
    ),
    async () => {
      await product.configure({ limits: { ...NO_LIMITS, timeout_s: 10 } });
      const end = await ask(product, [
        "run",
        "trap '' TERM; echo one > one.txt; (setsid sleep 900 &); while :; do echo tick; sleep 0.2; done",
        "--agent",
        "a",
      ]);
      expect<unknown>({
        code: end.code,
        ending: ending(end.run),
        edits: await exists(join(end.attempt.worktree, "one.txt")),
        processes: await processesOf(end.run.id),
      }).toEqual({ code: 1, ending: failed("timed_out"), edits: true, processes: [] });
      expect(end.run.failure?.remedy).toContain(`tazuna continue ${end.attempt.id.slice(0, 8)}`);
      await product.configure({ limits: { ...NO_LIMITS, timeout_s: 3600 } });
      const next = await ask(product, ["continue", end.attempt.id, "echo two > two.txt"]);
      expect<unknown>(ending(next.run)).toEqual(PUSHED);
    },
  );

  test(
    deep(
      "an agent that is silent for `limits.stall_s` is stopped; one that talks, or whose tool works, is not",
    ),
    async () => {
      await product.configure({ limits: { ...NO_LIMITS, stall_s: 10 } });
      const talk = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo talk; sleep 1; done; echo one > one.txt";
      // The sixth line of the stream begins a tool call, the seventh ends it.
      await replayedClaude(product, "tool", [
        { stream: "success-edit.jsonl", lines: 6, after: "sleep 13; echo hello > hello.txt", rest: true },
      ]);
      const [silent, talker, tool] = await Promise.all([
        ask(product, ["run", "echo one > one.txt; exec sleep 900", "--agent", "a"]),
        ask(product, ["run", talk, "--agent", "b"]),
        ask(product, ["run", "Say hello", "--agent", "tool"]),
      ]);
      await product.configure({ limits: { ...NO_LIMITS, stall_s: 600 } });
      expect<unknown>({
        endings: [silent, talker, tool].map(({ run }) => ending(run)),
        edits: await exists(join(silent.attempt.worktree, "one.txt")),
        processes: await processesOf(silent.run.id),
      }).toEqual({ endings: [failed("stalled"), PUSHED, PUSHED], edits: true, processes: [] });
    },
  );
});

describe("rate limits", () => {
  const SESSION = "ba874c84-97ac-4915-afc4-1070489304a2";

  /** Refused once by its provider, then it succeeds. */
  const REFUSED_ONCE = [
    { before: "echo begun > begun.txt", stream: "error-429.jsonl", code: 1 },
    { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
  ];

  test(
    deep(
      "a rate-limited run waits without a process and resumes by itself; a waiting command sees the success",
    ),
    async () => {
      // Long enough for a busy machine to show it.
      await using product = await startProduct({ timing: { backoffMs: [5_000] } });
      const claude = await replayedClaude(product, "claude", REFUSED_ONCE);
      const end = await product.tazuna(["run", "Say hello", "--agent", "claude", "--json"]);
      const { attempts } = end.json();
      const [run] = attempts[0]?.runs ?? [];
      const starts = await claude.starts(attempts[0]?.id ?? "");
      expect<unknown>({
        code: end.code,
        ending: run && ending(run),
        waited: /Rate limited until \d\d:\d\d UTC, resumes by itself/.test(end.stderr),
        resumed: starts.map(({ argv }) => argv[argv.indexOf("--resume") + 1]).at(-1),
        starts: starts.length,
        summary: run?.summary,
        files: await product.sandbox.git(product.origin, [
          "ls-tree",
          "--name-only",
          attempts[0]?.branch ?? "",
        ]),
      }).toEqual({
        code: 0,
        ending: PUSHED,
        waited: true,
        resumed: SESSION,
        starts: 2,
        summary: "Done: I created hello.txt.",
        files: ".gitignore\nREADME.md\nbegun.txt\nhello.txt",
      });
    },
  );

  test(
    deep("a person lets it try at once; other runs of its login stay held, and what does not wait refuses"),
    async () => {
      await using product = await startProduct({ timing: { backoffMs: [3_600_000] } });
      const claude = await replayedClaude(product, "claude", REFUSED_ONCE);
      const first = await ask(product, ["run", "Say hello", "--agent", "claude", "--detach"]);
      await waitFor(
        "the rate limit",
        async () => (await ask(product, ["show", first.document.task.id])).run.phase === "waiting" || null,
        { withinMs: 120_000 },
      );
      const held = await ask(product, ["run", "Say hello", "--agent", "claude", "--detach"]);
      const tried = await ask(product, ["retry", first.run.id, "--from", "limit"]);
      const now = await ask(product, ["show", held.document.task.id]);
      const again = await product.tazuna(["retry", first.run.id, "--from", "limit", "--json"]);
      expect<unknown>({
        tried: ending(tried.run),
        starts: (await claude.starts(first.attempt.id)).length,
        held: [now.run.status, now.run.phase],
        again: again.json<{ error: { code: string } }>().error.code,
        asked: storedRows<{ data: string }>(product.home, {
          sql: "select data from facts where kind = 'run.resume_asked'",
        }).map(({ data }) => JSON.parse(data).actor),
      }).toEqual({
        tried: PUSHED,
        starts: 2,
        held: ["PENDING", "queued"],
        again: "run_not_limited",
        asked: [expect.objectContaining({ kind: "owner", id: null })],
      });
    },
  );

  test(
    deep("while it waits its slot is free, runs of the same login are held, and it can be stopped"),
    async () => {
      await using product = await startProduct({ timing: { backoffMs: [3_600_000] } });
      const claude = await replayedClaude(product, "claude", REFUSED_ONCE);
      await product.agent("other", "echo one > one.txt");
      await product.configure({ limits: { ...NO_LIMITS, parallel: 1 } });
      const refused = await ask(product, ["run", "Say hello", "--agent", "claude", "--detach"]);
      const waiting = await waitFor(
        "the rate limit",
        async () => {
          const now = await ask(product, ["show", refused.document.task.id]);
          return now.run.phase === "waiting" ? now : null;
        },
        { withinMs: 120_000 },
      );
      const held = await ask(product, ["run", "Say hello", "--agent", "claude", "--detach"]);
      const other = await ask(product, ["run", "Anything", "--agent", "other"]);
      const heldNow = await ask(product, ["show", held.document.task.id]);
      expect<unknown>({
        waiting: [waiting.run.status, waiting.run.resume_at !== null, await processesOf(waiting.run.id)],
        other: ending(other.run),
        held: [heldNow.run.status, heldNow.run.phase, await claude.starts(held.attempt.id)],
      }).toEqual({ waiting: ["RUNNING", true, []], other: PUSHED, held: ["PENDING", "queued", []] });
      expect((await product.tazuna(["list"])).stdout).toContain("Rate limited until");
      const stopped = await ask(product, ["stop", refused.run.id]);
      expect({
        ending: ending(stopped.run),
        edits: await exists(join(refused.attempt.worktree, "begun.txt")),
        starts: (await claude.starts(refused.attempt.id)).length,
      }).toEqual({ ending: { status: "CANCELED", outcome: null }, edits: true, starts: 1 });
    },
  );

  test(deep("an engine that is killed meanwhile waits on after its restart, and resumes"), async () => {
    await using product = await startProduct({ timing: { backoffMs: [15_000] } });
    const claude = await replayedClaude(product, "claude", REFUSED_ONCE);
    const started = await ask(product, ["run", "Say hello", "--agent", "claude", "--detach"]);
    await waitFor(
      "the rate limit",
      () => readDataFolder(product.home).runs.some(({ phase }) => phase === "waiting"),
      { withinMs: 120_000 },
    );
    await product.killEngine();
    expect(readDataFolder(product.home).runs.map(({ phase }) => phase)).toEqual(["waiting"]);
    const end: TaskEnd = await ask(product, ["wait", started.run.id]);
    expect<unknown>({
      ending: ending(end.run),
      starts: (await claude.starts(end.attempt.id)).length,
    }).toEqual({
      ending: PUSHED,
      starts: 2,
    });
  });

  test(
    deep("a limit that comes again and again ends the run with its time and remedy; its edits are kept"),
    async () => {
      await using product = await startProduct();
      const claude = await replayedClaude(product, "claude", REFUSED_ONCE.slice(0, 1));
      const end = await ask(product, ["run", "Say hello", "--agent", "claude"]);
      expect<unknown>({
        code: end.code,
        ending: ending(end.run),
        starts: (await claude.starts(end.attempt.id)).length,
        edits: await exists(join(end.attempt.worktree, "begun.txt")),
      }).toEqual({ code: 1, ending: failed("rate_limited"), starts: 3, edits: true });
      expect(end.run.failure?.remedy).toContain("Wait until the limit resets");
    },
  );

  test(deep("a passing fault of the provider is tried again; a login that is missing is not"), async () => {
    await using product = await startProduct();
    const overloaded = await replayedClaude(product, "overloaded", [
      { stream: "error-529-overloaded.jsonl", code: 1 },
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
    ]);
    const nobody = await replayedClaude(product, "nobody", [{ stream: "error-401.jsonl", code: 1 }]);
    const end = await ask(product, ["run", "Say hello", "--agent", "overloaded", "--agent", "nobody"]);
    expect<unknown>({
      endings: end.attempts.map(({ runs }) => runs.map(ending)),
      starts: [
        (await overloaded.starts(end.attempts[0]?.id ?? "")).length,
        (await nobody.starts(end.attempts[1]?.id ?? "")).length,
      ],
    }).toEqual({ endings: [[PUSHED], [failed("auth_required")]], starts: [2, 1] });
  });

  test("seed 003 Phase 4: a session that the agent refuses is left, and the agent is told what happened before", async () => {
    await using product = await startProduct();
    const claude = await replayedClaude(product, "claude", [
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
      { stream: "error-bad-resume.jsonl", code: 1 },
      { before: "echo more > more.txt", stream: "success-edit.jsonl" },
    ]);
    const first = await ask(product, ["run", "Say hello", "--agent", "claude"]);
    const second = await ask(product, ["continue", first.attempt.id, "Say more"]);
    const starts = await claude.starts(first.attempt.id);
    expect<unknown>({
      ending: ending(second.run),
      notes: second.run.notes.map(({ code }) => code),
      resumed: starts.map(({ argv }) => argv.includes("--resume")),
    }).toEqual({ ending: PUSHED, notes: ["session_restarted"], resumed: [false, true, false] });
    expect(starts[2]?.prompt).toContain("Person: Say hello");
    expect(starts[2]?.prompt).toContain("# Task\n\nSay more");
  });
});
