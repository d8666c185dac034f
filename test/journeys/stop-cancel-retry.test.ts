/** Tells how people take a run back: stop, cancel, Ctrl-C, and how they try again. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FindingDocument } from "../../src/contract/endpoints/repositories.ts";
import type { CleanAnswer } from "../../src/contract/endpoints/trash.ts";
import type { AttemptDocument } from "../../src/contract/task-document.ts";
import {
  ask,
  branchAt,
  ending,
  exists,
  fileAt,
  gate,
  noteCodes,
  PAST_THE_GUARD,
  PATIENCE_MS,
  processesOf,
  refused,
  type TaskEnd,
  taskEnd,
  usersSide,
  written,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const CANCELED = { status: "CANCELED", outcome: null };

let product: Product;

beforeAll(async () => {
  product = await startProduct({ timing: { cleanUpMs: [500] } });
  await product.agent("doer", `${PAST_THE_GUARD} . "$TAZUNA_INSTRUCTION_FILE"; echo Done.`);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);

/** A run whose agent has written `begun.txt` and works on for as long as it is let. */
async function working(script = ""): Promise<TaskEnd> {
  const started = await run(`${script}\necho begun > begun.txt; exec sleep 900`, "--detach");
  await written(join(started.attempt.worktree, "begun.txt"));
  return started;
}

/** Snapshots of an attempt, newest first. */
async function snapshots(attempt: string): Promise<readonly string[]> {
  const text = await git(
    product.repository,
    "for-each-ref",
    "--format=%(refname)",
    `refs/tazuna/snapshots/${attempt}`,
  );
  return text
    .split("\n")
    .filter((ref) => ref !== "")
    .reverse();
}

/** Everything that is left of an attempt but its snapshots. */
async function leftOf(end: TaskEnd) {
  const shown = await ask(product, ["show", end.document.task.id]);
  const attempt = shown.attempts.find(({ id }) => id === end.attempt.id);
  const registered = await git(product.repository, "worktree", "list", "--porcelain");
  return {
    state: attempt?.state,
    worktree: await exists(end.attempt.worktree),
    registered: registered.includes(end.attempt.worktree),
    branch: await branchAt(product, product.repository, end.attempt.branch),
    processes: await processesOf(end.run.id),
  };
}

const NOTHING_LEFT = { state: "removed", worktree: false, registered: false, branch: null, processes: [] };

test("seed 003 Clean-up: stop ends the agent; edits, branch and worktree stay (departs: a gentle form of cancel)", async () => {
  const started = await working(
    "trap '' TERM; (trap '' TERM; setsid sleep 900 & sleep 900) & echo $! > child.pid",
  );
  const waiting = product.start(["wait", started.run.id, "--json"]);
  const stopped = await ask(product, ["stop", started.run.id.slice(0, 8)]);
  const waited = taskEnd(await waiting.end);
  expect<unknown>({
    codes: [stopped.code, waited.code],
    ending: ending(stopped.run),
    state: stopped.attempt.state,
    edits: await readFile(join(started.attempt.worktree, "begun.txt"), "utf8"),
    processes: await processesOf(started.run.id),
    branch: await branchAt(product, product.repository, started.attempt.branch),
    kept: await git(
      product.repository,
      "cat-file",
      "-t",
      `refs/tazuna/runs/${started.run.id}/after:begun.txt`,
    ),
  }).toEqual({
    codes: [0, 1],
    ending: CANCELED,
    state: "stopped",
    edits: "begun\n",
    processes: [],
    branch: started.attempt.base.sha ?? (await git(product.repository, "rev-parse", "main")),
    kept: "blob",
  });
  const next = await ask(product, ["continue", started.attempt.id, "cat begun.txt > went-on.txt"]);
  expect<unknown>(ending(next.run)).toEqual(PUSHED);
  expect(await fileAt(product, product.origin, started.attempt.branch, "went-on.txt")).toBe("begun");
});

test("seed 003 Phase 4: stop keeps the agent's session, and the next message finds and resumes it in the same folder", async () => {
  await using barrier = gate(product, "session");
  const claude = await replayedClaude(product, "replayed", [
    { stream: "success-edit.jsonl", lines: 1, after: barrier.wait },
    { before: "echo hello > hello.txt", stream: "resumed.jsonl" },
  ]);
  const started = await ask(product, ["run", "Say hello", "--agent", "replayed", "--detach"]);
  await barrier.reached();
  await waitFor(
    "the session",
    async () => (await ask(product, ["show", started.document.task.id])).run.status === "RUNNING",
  );
  await ask(product, ["stop", started.run.id]);
  const next = await ask(product, ["continue", started.attempt.id, "Go on"]);
  const starts = await claude.starts(started.attempt.id);
  const session = starts[0]?.argv[starts[0].argv.indexOf("--session-id") + 1];
  expect<unknown>({
    ending: ending(next.run),
    resumed: starts[1]?.argv[(starts[1]?.argv.indexOf("--resume") ?? 0) + 1],
    cwd: starts.map(({ cwd }) => cwd),
    prompt: starts[1]?.prompt.split("\n")[0],
  }).toEqual({
    ending: PUSHED,
    resumed: "11111111-2222-4333-8444-555555555555",
    cwd: [started.attempt.worktree, started.attempt.worktree],
    prompt: "Go on",
  });
  expect(session).toMatch(/^[0-9a-f-]{36}$/);
});

test(
  deep("messages after a stop request go on once the run has ended, together with what waited before"),
  async () => {
    const started = await working(
      "trap 'touch told-to-end' TERM; echo begun > begun.txt; while :; do sleep 0.05; done",
    );
    const { id, worktree } = started.attempt;
    await ask(product, ["continue", id, "echo waited > waited.txt", "--detach"]);
    const stopping = product.start(["stop", id, "--json"]);
    await waitFor("the stop to reach the agent", () => exists(join(worktree, "told-to-end")));
    const next = await ask(product, ["continue", id, "cat waited.txt > went-on.txt"]);
    expect((await stopping.end).code).toBe(0);
    expect<unknown>(next.attempt.runs.map(ending)).toEqual([CANCELED, PUSHED, PUSHED]);
  },
);

test("stop of a run that has ended changes nothing", async () => {
  const end = await run("echo one > one.txt");
  const stopped = await ask(product, ["stop", end.run.id]);
  expect({ code: stopped.code, document: stopped.document }).toEqual({ code: 0, document: end.document });
});

test("seed 003 Clean-up and GitService: cancel removes worktree, branch and processes (departs: of an attempt; a snapshot and the trash keep everything) (promise 2.1)", async () => {
  const before = await usersSide(product);
  const started = await working(
    "echo changed >> README.md; rm .gitignore; mkdir deep; echo x > 'deep/na me\n.txt'; echo secret > .env; echo i > a.local; git add README.md",
  );
  const canceled = await ask(product, ["cancel", started.attempt.id]);
  expect<unknown>({
    code: canceled.code,
    ending: ending(canceled.run),
    state: canceled.attempt.state,
  }).toEqual({
    code: 0,
    ending: CANCELED,
    state: "removed",
  });
  expect<unknown>(await leftOf(started)).toEqual(NOTHING_LEFT);
  const [newest = ""] = await snapshots(started.attempt.id);
  const inSnapshot = await git(product.repository, "ls-tree", "-r", "-z", "--name-only", newest);
  const trashed = join(product.home, "trash", started.attempt.id);
  expect({
    snapshot: inSnapshot.split("\0").filter(Boolean),
    readme: await fileAt(product, product.repository, newest, "README.md"),
    parent: await git(product.repository, "rev-parse", `${newest}^`),
    trash: (await readdir(trashed)).sort(),
  }).toEqual({
    snapshot: [".env", "README.md", "a.local", "begun.txt", "deep/na me\n.txt"],
    readme: "# Project\nchanged",
    parent: await git(product.repository, "rev-parse", "main"),
    trash: [".env", ".git", "README.md", "a.local", "begun.txt", "deep"],
  });
  expect(await usersSide(product)).toEqual(before);
});

test("cancel of the only run is cancel of its attempt", async () => {
  const started = await working();
  const canceled = await ask(product, ["cancel", started.run.id]);
  expect<unknown>({ code: canceled.code, ending: ending(canceled.run) }).toEqual({
    code: 0,
    ending: CANCELED,
  });
  expect<unknown>(await leftOf(started)).toEqual(NOTHING_LEFT);
});

test("cancel of a later run stops that run; the attempt goes on", async () => {
  const first = await run("echo one > one.txt");
  const second = await ask(product, [
    "continue",
    first.attempt.id,
    "echo begun > begun.txt; exec sleep 900",
    "--detach",
  ]);
  await written(join(first.attempt.worktree, "begun.txt"));
  const canceled = await ask(product, ["cancel", second.run.id]);
  expect<unknown>({
    code: canceled.code,
    endings: canceled.attempt.runs.map(ending),
    state: canceled.attempt.state,
    edits: await exists(join(first.attempt.worktree, "begun.txt")),
    processes: await processesOf(second.run.id),
  }).toEqual({ code: 0, endings: [PUSHED, CANCELED], state: "stopped", edits: true, processes: [] });
});

test(
  deep(
    "cancel of a task cancels every attempt; what was pushed stays on the remote, and `list` leaves it out",
  ),
  async () => {
    const started = await ask(product, [
      "run",
      "echo begun > begun.txt; exec sleep 900",
      "--agent",
      "doer",
      "--agent",
      "doer",
      "--detach",
    ]);
    for (const { worktree } of started.attempts) await written(join(worktree, "begun.txt"));
    const pushed = await run("echo one > one.txt");
    const canceled = await ask(product, ["cancel", started.document.task.id]);
    await ask(product, ["cancel", pushed.document.task.id]);
    expect<unknown>({
      code: canceled.code,
      attempts: canceled.attempts.map(({ state, runs }) => [state, runs.map(ending)]),
      pushed: await leftOf(pushed),
      remote: await branchAt(product, product.origin, pushed.attempt.branch),
    }).toEqual({
      code: 0,
      attempts: [
        ["removed", [CANCELED]],
        ["removed", [CANCELED]],
      ],
      pushed: NOTHING_LEFT,
      remote: pushed.run.commit,
    });
    const ids = async (...flags: string[]) => {
      const { tasks } = (await product.tazuna(["list", "--json", ...flags])).json<{
        tasks: { id: string }[];
      }>();
      return tasks.map(({ id }) => id);
    };
    expect(await ids()).not.toContain(pushed.document.task.id);
    expect(await ids("--all")).toContain(pushed.document.task.id);
  },
);

test("cancel once more, of what is gone already, is a success", async () => {
  const end = await run("echo one > one.txt");
  await rm(end.attempt.worktree, { recursive: true });
  await git(product.repository, "worktree", "prune");
  await git(product.repository, "branch", "-D", end.attempt.branch);
  const first = await ask(product, ["cancel", end.attempt.id]);
  const second = await ask(product, ["cancel", end.attempt.id]);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect<unknown>(await leftOf(end)).toEqual(NOTHING_LEFT);
});

test("seed 003 Clean-up: a cancel that cannot clean up says what is left, and ends later (departs: nothing is deleted by hand)", async () => {
  const started = await working();
  const { id } = started.attempt;
  const trash = join(product.home, "trash");
  await mkdir(trash, { recursive: true });
  await rename(trash, `${trash} aside`);
  await writeFile(trash, "in the way\n");
  for (const asked of ["cancelled", "asked again"]) {
    const { code, error } = await refused(product, ["cancel", id]);
    const told = [asked, code, error.code, error.details.kept];
    expect<unknown>(told).toEqual([
      asked,
      1,
      "not_cleaned_up",
      [
        {
          id,
          worktree: started.attempt.worktree,
          branch: started.attempt.branch,
          why: expect.stringMatching(/^the worktree is kept: EEXIST.*trash'$/),
          tried_at: expect.any(String),
          again_at: expect.any(String),
        },
      ],
    ]);
  }
  const shown = (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>();
  const listed = (await product.tazuna(["list"])).stdout;
  const { findings } = (await product.tazuna(["doctor", "--json"])).json<{ findings: FindingDocument[] }>();
  const kept = (await product.tazuna(["clean", "--json"])).json<CleanAnswer>().kept;
  expect<unknown>({
    state: [shown.state, shown.clean_up?.why.startsWith("the worktree is kept: EEXIST")],
    processes: await processesOf(started.run.id),
    listed: [listed.includes("Cancelled, not cleaned up"), listed.includes("the worktree is kept: EEXIST")],
    found: findings.find((finding) => finding.id === `clean_up:${id}`),
    kept: kept
      .filter((one) => one.path === started.attempt.worktree)
      .map(({ reason }) => reason.slice(0, 70)),
    code: (await product.tazuna(["clean", id, "--yes"])).code,
  }).toEqual({
    state: ["canceled", true],
    processes: [],
    listed: [true, true],
    found: {
      id: `clean_up:${id}`,
      level: "warning",
      what: `Attempt ${id.slice(0, 8)} was cancelled, and its clean-up cannot go on.`,
      whose: `attempt ${id.slice(0, 8)}`,
      why: expect.stringContaining("the worktree is kept: EEXIST"),
      bytes: expect.any(Number),
      path: started.attempt.worktree,
      remedy: `Mend what it names; \`tazuna cancel ${id.slice(0, 8)}\` tries at once.`,
    },
    kept: ["It was cancelled, and its clean-up cannot go on: the worktree is kept:"],
    code: 1,
  });
  await rm(trash);
  await rename(`${trash} aside`, trash);
  await waitFor(
    "the engine to end the clean-up by itself",
    async () => (await leftOf(started)).state === "removed",
  );
  expect<unknown>(await leftOf(started)).toEqual(NOTHING_LEFT);
  expect((await product.tazuna(["list"])).stdout).not.toContain("not cleaned up");
});

test("seed 003 Clean-up: a branch that was there before the attempt is kept", async () => {
  const tip = await git(product.repository, "rev-parse", "main");
  await git(product.repository, "branch", "kept", "main");
  const started = await run("echo begun > begun.txt; exec sleep 900", "--branch", "kept", "--detach");
  await written(join(started.attempt.worktree, "begun.txt"));
  await ask(product, ["cancel", started.attempt.id]);
  expect<unknown>(await leftOf(started)).toEqual({ ...NOTHING_LEFT, branch: tip });
});

test("cancel of an attempt with a repository inside keeps that too, whole, in the trash", async () => {
  const started = await working(
    "git init -q inner; echo x > inner/x.txt; git -C inner add -A; git -C inner -c user.name=a -c user.email=a@b commit -q -m inner",
  );
  await ask(product, ["cancel", started.attempt.id]);
  expect<unknown>(await leftOf(started)).toEqual(NOTHING_LEFT);
  const inner = join(product.home, "trash", started.attempt.id, "inner");
  expect(await git(inner, "log", "--format=%s")).toBe("inner");
});

test("cancel while a remote's hook still thinks about the push: the commit has not arrived, the run is CANCELED", async () => {
  await using barrier = gate(product, "pre-receive");
  await withHook("pre-receive", barrier.wait, async () => {
    const started = await run("echo one > one.txt", "--detach");
    await barrier.reached();
    const stopped = await ask(product, ["stop", started.run.id]);
    expect<unknown>({
      code: stopped.code,
      ending: ending(stopped.run),
      remote: await branchAt(product, product.origin, started.attempt.branch),
    }).toEqual({
      code: 0,
      ending: CANCELED,
      remote: null,
    });
    expect(await branchAt(product, product.repository, started.attempt.branch)).toBe(stopped.run.commit);
    await barrier.open();
    const again = await ask(product, ["retry", started.run.id, "--from", "push"]);
    expect<unknown>({
      ending: ending(again.run),
      remote: await branchAt(product, product.origin, started.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      remote: stopped.run.commit,
    });
  });
});

test("cancel after the commit arrived comes too late: the run is SUCCEEDED and says so, and nothing begins after it", async () => {
  await using barrier = gate(product, "post-receive");
  await withHook("post-receive", barrier.wait, async () => {
    const started = await run("echo one > one.txt", "--detach");
    await barrier.reached();
    await ask(product, ["continue", started.attempt.id, "echo two > two.txt", "--detach"]);
    const stopped = await ask(product, ["stop", started.attempt.id]);
    const [first, second] = stopped.attempt.runs;
    expect<unknown>({
      code: stopped.code,
      state: stopped.attempt.state,
      first: first && [ending(first), noteCodes(first)],
      second: second && [second.status, second.held],
      remote: await branchAt(product, product.origin, started.attempt.branch),
    }).toEqual({
      code: 0,
      state: "pushed",
      first: [PUSHED, ["cancel_too_late"]],
      second: ["PENDING", true],
      remote: first?.commit,
    });
    await barrier.open();
  });
});

test("Ctrl-C in a waiting `run` stops its runs, says how to go on, and exits with 130", async () => {
  const path = join(product.home, "ctrl-c.txt");
  const waiting = product.start(["run", `echo $TAZUNA_RUN > '${path}'; exec sleep 900`, "--agent", "doer"]);
  const id = (await written(path)).trim();
  waiting.kill("SIGINT");
  const end = await waiting.end;
  const shown = (await product.tazuna(["show", id, "--json"])).json<{ status: string; attempt: string }>();
  expect({ code: end.code, status: shown.status, processes: await processesOf(id) }).toEqual({
    code: 130,
    status: "CANCELED",
    processes: [],
  });
  expect(end.stderr).toContain(
    `Stopped; branch, worktree and session are kept. To go on:\n  tazuna continue ${shown.attempt.slice(0, 8)} "..."\n`,
  );
});

test("a second Ctrl-C leaves the runs running", async () => {
  const path = join(product.home, "ctrl-c-twice.txt");
  await using barrier = gate(product, "ctrl-c");
  const waiting = product.start([
    "run",
    `echo $TAZUNA_RUN > '${path}'; ${barrier.wait}; echo x > x.txt`,
    "--agent",
    "doer",
  ]);
  const id = (await written(path)).trim();
  await barrier.reached();
  waiting.kill("SIGINT");
  await waitFor("the first Ctrl-C to be taken", async () => !(await isPending(waiting.pid, 2)));
  waiting.kill("SIGINT");
  const end = await waiting.end;
  expect(end.code).toBe(130);
  expect(end.stderr).toContain("Left running in the background");
  await barrier.open();
  const waited = await ask(product, ["wait", id]);
  expect<unknown>({ code: waited.code, ending: ending(waited.run) }).toEqual({ code: 0, ending: PUSHED });
});

test("retry does a failed run again in the same worktree, whose edits are still there", async () => {
  const failed = await run(
    "if [ -e half.txt ]; then echo whole > whole.txt; else echo half > half.txt; exit 1; fi",
  );
  expect(ending(failed.run)).toEqual({ status: "FAILED", outcome: null, failure: "agent_failed" });
  const again = await ask(product, ["retry", failed.run.id]);
  expect<unknown>({
    code: again.code,
    endings: again.attempt.runs.map(ending),
    half: await fileAt(product, product.origin, failed.attempt.branch, "half.txt"),
    whole: await fileAt(product, product.origin, failed.attempt.branch, "whole.txt"),
  }).toEqual({
    code: 0,
    endings: [{ status: "FAILED", outcome: null, failure: "agent_failed" }, PUSHED],
    half: "half",
    whole: "whole",
  });
});

test("retry of a run that was never prepared begins at the beginning", async () => {
  const failed = await run("echo one > one.txt", "--base", "later");
  expect(ending(failed.run)).toEqual({ status: "FAILED", outcome: null, failure: "base_missing" });
  await product.sandbox.commitTo(product.origin, "later", { "later.txt": "x\n" });
  const again = await ask(product, ["retry", failed.run.id]);
  expect<unknown>({ code: again.code, ending: ending(again.run), base: again.attempt.base.branch }).toEqual({
    code: 0,
    ending: PUSHED,
    base: "later",
  });
});

test("retry of a run that goes on, and of a push without a commit, are refused", async () => {
  const started = await working();
  const going = await refused(product, ["retry", started.run.id]);
  await ask(product, ["stop", started.run.id]);
  const empty = await refused(product, ["retry", started.run.id, "--from", "push"]);
  expect([going, empty].map(({ code, error }) => [code, error.code])).toEqual([
    [1, "run_not_ended"],
    [1, "nothing_to_push"],
  ]);
});

test("a remote that goes away while the agent works fails the push; the commit is pushed once it is back", async () => {
  const away = `${product.origin}.away`;
  const failed = await run(`mv '${product.origin}' '${away}'; echo one > one.txt`);
  expect({
    code: failed.code,
    ending: ending(failed.run),
    here: await branchAt(product, product.repository, failed.attempt.branch),
  }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "remote_unreachable" },
    here: failed.run.commit,
  });
  expect(failed.run.failure?.remedy).toBe(
    `There is no repository at the remote's address: \`git -C ${product.repository} remote -v\` shows it. Correct it with \`git remote set-url\`, or make the repository there; then \`tazuna retry ${failed.run.id.slice(0, 8)} --from push\`. The commit is kept.`,
  );
  const still = await ask(product, ["retry", failed.run.id, "--from", "push"]);
  expect(ending(still.run)).toEqual({ status: "FAILED", outcome: null, failure: "remote_unreachable" });
  await rename(away, product.origin);
  const again = await ask(product, ["retry", failed.run.id, "--from", "push"]);
  expect<unknown>({
    code: again.code,
    ending: ending(again.run),
    remote: await branchAt(product, product.origin, failed.attempt.branch),
  }).toEqual({
    code: 0,
    ending: PUSHED,
    remote: failed.run.commit,
  });
});

async function withHook(name: string, script: string, body: () => Promise<void>): Promise<void> {
  const path = join(product.origin, "hooks", name);
  await mkdir(join(product.origin, "hooks"), { recursive: true });
  await writeFile(path, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  await chmod(path, 0o755);
  try {
    await body();
  } finally {
    await rm(path);
  }
}

/** Two signals of one kind that wait to be taken are one. */
async function isPending(pid: number, signal: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const masks = [...status.matchAll(/^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)$/gm)];
  return masks.some(([, mask]) => (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n);
}
