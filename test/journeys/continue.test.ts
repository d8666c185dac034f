/** Tells how an attempt goes on: follow-ups, a person's own edits, a queue that waits, and what others pushed meanwhile. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  branchAt,
  branchesOf,
  changedPaths,
  ending,
  fileAt,
  gate,
  noteCodes,
  PATIENCE_MS,
  refused,
  subjects,
  usersSide,
  written,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  // Does what the instruction says: a shell script in words.
  await product.agent(
    "doer",
    'cp "$TAZUNA_PROMPT_FILE" "$(dirname "$TAZUNA_SUMMARY_FILE")/../told"; . "$TAZUNA_INSTRUCTION_FILE"; echo Done.',
  );
});

afterAll(() => product[Symbol.asyncDispose]());

const start = (script: string) => ask(product, ["run", script, "--agent", "doer"]);
const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
test("seed 003 Phase 4 and Whole workflow: a follow-up works in the same worktree and branch, and pushes a second commit", async () => {
  const before = await usersSide(product);
  const first = await start("echo one > one.txt");
  const second = await ask(product, ["continue", first.attempt.id.slice(0, 8), "cat one.txt > two.txt"]);
  expect<unknown>({
    code: second.code,
    attempt: second.attempt.id,
    branch: second.attempt.branch,
    worktree: second.attempt.worktree,
    runs: second.attempt.runs.map(({ number, kind, instruction, ...run }) => [
      number,
      kind,
      instruction,
      ending({ number, kind, instruction, ...run }),
    ]),
    log: await git(
      product.origin,
      "log",
      "--format=%s %(trailers:key=Tazuna-Run,valueonly,separator=%x2C)",
      `main..${first.attempt.branch}`,
    ),
    parent: await git(product.origin, "rev-parse", `${first.attempt.branch}^`),
    paths: await changedPaths(product, product.origin, second.run.commit ?? ""),
  }).toEqual({
    code: 0,
    attempt: first.attempt.id,
    branch: first.attempt.branch,
    worktree: first.attempt.worktree,
    runs: [
      [1, "agent", "echo one > one.txt", PUSHED],
      [2, "agent", "cat one.txt > two.txt", PUSHED],
    ],
    log: `Cat one.txt > two.txt ${second.run.id}\nEcho one > one.txt ${first.run.id}`,
    parent: first.run.commit ?? "",
    paths: ["two.txt"],
  });
  expect(await usersSide(product, { ours: branchesOf(first) })).toEqual(before);
});

test("an agent without sessions is told in its follow-up what was said and done before", async () => {
  const first = await start("echo one > one.txt");
  const second = await ask(product, ["continue", first.attempt.id, "echo two > two.txt"]);
  const prompt = await readFile(join(product.home, "runs", second.run.id, "told"), "utf8");
  expect(prompt).toContain("# Issue\n\necho one > one.txt\n");
  expect(prompt).toContain("Person: echo one > one.txt\nYou: Done.");
  expect(prompt).toContain("# Task\n\necho two > two.txt\n");
});

test("`continue` without an instruction commits my own edits, in my name alone", async () => {
  const first = await start("echo one > one.txt");
  await writeFile(join(first.attempt.worktree, "mine.txt"), "by hand\n");
  const mine = await ask(product, ["continue", first.attempt.id]);
  expect<unknown>({
    code: mine.code,
    kind: mine.run.kind,
    ending: ending(mine.run),
    agentStarted: mine.run.isolation,
    message: await git(product.origin, "log", "-1", "--format=%an%n%B", first.attempt.branch),
    paths: await changedPaths(product, product.origin, first.attempt.branch),
  }).toEqual({
    code: 0,
    kind: "commit",
    ending: PUSHED,
    agentStarted: null,
    message: `Una User\nCommit my edits\n\nTazuna-Task: ${first.document.task.id}\nTazuna-Run: ${mine.run.id}\n`,
    paths: ["mine.txt"],
  });
});

test(
  deep("`continue --message` commits my own edits under my words; `--file` sends a longer instruction"),
  async () => {
    const first = await start("echo one > one.txt");
    await writeFile(join(first.attempt.worktree, "mine.txt"), "by hand\n");
    const words = "fix: keep the greeting short\n\nIt was cut on phones.";
    const mine = await ask(product, ["continue", first.attempt.id, "--message", words]);
    expect<unknown>({
      ending: ending(mine.run),
      message: await git(product.origin, "log", "-1", "--format=%B", first.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      message: `${words}\n\nTazuna-Task: ${first.document.task.id}\nTazuna-Run: ${mine.run.id}\n`,
    });
    const file = join(product.repository, "next.md");
    await writeFile(file, "echo long > long.txt\n");
    const next = await ask(product, ["continue", first.attempt.id, "--file", "next.md"]);
    await rm(file);
    expect<unknown>([
      ending(next.run),
      await changedPaths(product, product.origin, first.attempt.branch),
    ]).toEqual([PUSHED, ["long.txt"]]);
  },
);

test("`continue` without an instruction and without edits changes nothing", async () => {
  const first = await start("echo one > one.txt");
  const mine = await ask(product, ["continue", first.attempt.id]);
  expect({ code: mine.code, ending: ending(mine.run) }).toEqual({
    code: 0,
    ending: { status: "SUCCEEDED", outcome: "no_changes" },
  });
  expect(await branchAt(product, product.origin, first.attempt.branch)).toBe(first.run.commit);
});

test(
  deep("follow-ups that are sent while a run works wait for it and begin in their order after its success"),
  async () => {
    await using barrier = gate(product, "queue");
    const first = await ask(product, [
      "run",
      `${barrier.wait}; echo 1 > order.txt`,
      "--agent",
      "doer",
      "--detach",
    ]);
    const { id } = first.attempt;
    await ask(product, ["continue", id, "echo 2 >> order.txt", "--detach"]);
    const third = await ask(product, ["continue", id, "echo 3 >> order.txt", "--detach"]);
    expect(third.attempt.runs.slice(1).map(({ status, phase, held }) => [status, phase, held])).toEqual([
      ["PENDING", "queued", false],
      ["PENDING", "queued", false],
    ]);
    await barrier.open();
    const end = await ask(product, ["wait", third.run.id]);
    expect<unknown>({ code: end.code, endings: end.attempt.runs.map(ending) }).toEqual({
      code: 0,
      endings: [PUSHED, PUSHED, PUSHED],
    });
    expect(await fileAt(product, product.origin, end.attempt.branch, "order.txt")).toBe("1\n2\n3");
    expect(await subjects(product, product.origin, end.attempt.branch)).toHaveLength(3);
  },
);

test(
  deep("follow-ups are held after a failure until a person adds a run, then all go on in their order"),
  async () => {
    await using barrier = gate(product, "held");
    const first = await ask(product, [
      "run",
      `${barrier.wait}; echo 1 > order.txt; exit 3`,
      "--agent",
      "doer",
      "--detach",
    ]);
    const { id } = first.attempt;
    await ask(product, ["continue", id, "echo 2 >> order.txt", "--detach"]);
    const third = await ask(product, ["continue", id, "echo 3 >> order.txt", "--detach"]);
    await barrier.open();
    const held = await ask(product, ["wait", third.run.id]);
    expect({
      code: held.code,
      runs: held.attempt.runs.map(({ status, held: isHeld }) => [status, isHeld]),
      remote: await branchAt(product, product.origin, first.attempt.branch),
    }).toEqual({
      code: 3,
      runs: [
        ["FAILED", false],
        ["PENDING", true],
        ["PENDING", true],
      ],
      remote: null,
    });
    expect((await product.tazuna(["list"])).stdout).toContain("Failed: agent_failed, 2 held");
    const end = await ask(product, ["continue", id, "echo 4 >> order.txt"]);
    expect<unknown>({ code: end.code, endings: end.attempt.runs.map(ending) }).toEqual({
      code: 0,
      endings: [{ status: "FAILED", outcome: null, failure: "agent_failed" }, PUSHED, PUSHED, PUSHED],
    });
    expect(await fileAt(product, product.origin, end.attempt.branch, "order.txt")).toBe("1\n2\n3\n4");
  },
);

test("follow-ups are held after a stop", async () => {
  const first = await ask(product, ["run", "echo 1 > order.txt; sleep 600", "--agent", "doer", "--detach"]);
  await written(join(first.attempt.worktree, "order.txt"));
  const second = await ask(product, ["continue", first.attempt.id, "echo 2 >> order.txt", "--detach"]);
  const stopped = await ask(product, ["stop", first.run.id]);
  expect(stopped.attempt.runs.map(({ status, held }) => [status, held])).toEqual([
    ["CANCELED", false],
    ["PENDING", true],
  ]);
  const waited = await ask(product, ["wait", second.run.id]);
  expect(waited.code).toBe(3);
  // A held run can be dropped, and nothing of it was begun.
  const dropped = await ask(product, ["cancel", second.run.id]);
  expect(dropped.attempt.runs.map(({ status }) => status)).toEqual(["CANCELED", "CANCELED"]);
  expect(dropped.attempt.state).toBe("stopped");
});

test("`stop ATTEMPT` stops the run that works and holds what is queued; asked again it changes nothing", async () => {
  await using barrier = gate(product, "stop-attempt");
  const first = await ask(product, [
    "run",
    `echo 1 > order.txt; ${barrier.wait}`,
    "--agent",
    "doer",
    "--detach",
  ]);
  const id = first.attempt.id;
  for (const text of ["echo 2 >> order.txt", "echo 3 >> order.txt"])
    await ask(product, ["continue", id, text, "--detach"]);
  await barrier.reached();
  const queued = { status: "PENDING", phase: "queued", held: true, started_at: null };
  for (const what of [id, first.document.task.id]) {
    const stopped = await ask(product, ["stop", what]);
    expect(stopped.code).toBe(0);
    expect(stopped.attempt).toMatchObject({
      state: "stopped",
      runs: [{ status: "CANCELED" }, queued, queued],
    });
  }
  expect((await product.tazuna(["list"])).stdout).toContain("Stopped, 2 held");
});

test("seed 003 Phase 4 and Whole workflow: what someone else pushed to the branch is pulled before the follow-up begins", async () => {
  const first = await start("echo one > one.txt");
  const theirs = await product.sandbox.commitTo(product.origin, first.attempt.branch, {
    "theirs.txt": "t\n",
  });
  const second = await ask(product, ["continue", first.attempt.id, "cat theirs.txt > seen.txt"]);
  expect<unknown>({ ending: ending(second.run), notes: noteCodes(second.run) }).toEqual({
    ending: PUSHED,
    notes: ["synced"],
  });
  expect(await git(product.origin, "merge-base", theirs, first.attempt.branch)).toBe(theirs);
  expect(await changedPaths(product, product.origin, second.run.commit ?? "")).toEqual(["seen.txt"]);
});

test("a conflict ends the run with its commit kept, the files as they were and no merge begun", async () => {
  const { theirs, ...lost } = await conflict("conflict");
  expect({
    code: lost.code,
    ending: ending(lost.run),
    paths: lost.run.failure?.details.paths,
    head: await git(lost.attempt.worktree, "rev-parse", "HEAD"),
    file: await readFile(join(lost.attempt.worktree, "same.txt"), "utf8"),
    status: await git(lost.attempt.worktree, "status", "--porcelain"),
    remote: await branchAt(product, product.origin, lost.attempt.branch),
  }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "conflict" },
    paths: ["same.txt"],
    head: lost.run.commit ?? "",
    file: "ours\n",
    status: "",
    remote: theirs,
  });
});

test(
  deep("after a conflict a person keeps their side as another branch, and the attempt goes on under it"),
  async () => {
    const { theirs, ...lost } = await conflict("kept-beside");
    // A retry goes on with what was asked for, and takes no second name.
    await rename(product.origin, `${product.origin}.away`);
    const away = await ask(product, ["publish", lost.attempt.id, "--another-branch"]);
    await rename(`${product.origin}.away`, product.origin);
    const hook = join(product.origin, "hooks", "pre-receive");
    await writeFile(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const held = await ask(product, ["retry", away.run.id, "--from", "push"]);
    await rm(hook);
    const kept = await ask(product, ["retry", held.run.id, "--from", "push"]);
    const { branch } = kept.attempt;
    expect([away, held].map(({ run }) => run.failure?.code)).toEqual(["remote_unreachable", "push_rejected"]);
    expect([held.attempt.branch, noteCodes(held.run)]).toEqual([branch, ["branch_renamed"]]);
    expect<unknown>({
      ending: ending(kept.run),
      isNew: branch !== lost.attempt.branch,
      mine: await branchAt(product, product.origin, branch),
      theirs: await branchAt(product, product.origin, lost.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      isNew: true,
      mine: lost.run.commit,
      theirs,
    });
    const after = await ask(product, ["continue", lost.attempt.id, "echo more > more.txt"]);
    expect<unknown>(ending(after.run)).toEqual(PUSHED);
    expect(await branchAt(product, product.origin, branch)).toBe(after.run.commit);
  },
);

test("a sync that conflicts is undone and noted with the command that resolves it, and the run goes on", async () => {
  const first = await start("echo base > same.txt");
  const theirs = await product.sandbox.commitTo(product.origin, first.attempt.branch, {
    "same.txt": "theirs\n",
  });
  await writeFile(join(first.attempt.worktree, "same.txt"), "ours\n");
  await git(first.attempt.worktree, "commit", "--quiet", "--all", "-m", "Mine");
  const next = await ask(product, [
    "continue",
    first.attempt.id,
    "cat same.txt > seen.txt; echo theirs > same.txt",
  ]);
  expect<unknown>({
    code: next.code,
    ending: ending(next.run),
    notes: next.run.notes.map(({ code, details }) => [code, details.paths]),
    seen: await fileAt(product, product.origin, first.attempt.branch, "seen.txt"),
    same: await fileAt(product, product.origin, first.attempt.branch, "same.txt"),
    theirs: await git(product.origin, "merge-base", theirs, first.attempt.branch),
  }).toEqual({
    code: 0,
    ending: PUSHED,
    notes: [
      ["sync_conflict", ["same.txt"]],
      ["remote_merged", undefined],
    ],
    seen: "ours",
    same: "theirs",
    theirs,
  });
  expect(next.run.notes[0]?.message).toContain(
    `\`tazuna continue ${first.attempt.id.slice(0, 8)} --resolve\` lets the agent resolve it.`,
  );
});

test(
  deep("a conflict that a person merges and commits by hand is published by a retry of the push"),
  async () => {
    const { attempt, run, theirs } = await conflict("by-hand");
    await git(attempt.worktree, "merge", "--no-edit", `origin/${attempt.branch}`).catch(() => null);
    await writeFile(join(attempt.worktree, "same.txt"), "both\n");
    await git(attempt.worktree, "commit", "--quiet", "--all", "-m", "Merge by hand");
    const end = await ask(product, ["retry", run.id, "--from", "push"]);
    expect<unknown>({
      ending: ending(end.run),
      parents: await git(product.origin, "log", "-1", "--format=%P", attempt.branch),
      same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
    }).toEqual({ ending: PUSHED, parents: `${run.commit} ${theirs}`, same: "both" });
  },
);

test(
  deep(
    "a conflict that a person merges by hand and leaves uncommitted is concluded by `continue` with both parents",
  ),
  async () => {
    const { attempt, run, theirs } = await conflict("left-merging");
    await git(attempt.worktree, "merge", "--no-edit", `origin/${attempt.branch}`).catch(() => null);
    await writeFile(join(attempt.worktree, "same.txt"), "both\n");
    const end = await ask(product, ["continue", attempt.id]);
    expect<unknown>({
      ending: ending(end.run),
      parents: await git(product.origin, "log", "-1", "--format=%P", attempt.branch),
      same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
    }).toEqual({ ending: PUSHED, parents: `${run.commit} ${theirs}`, same: "both" });
  },
);

test(deep("a merge that takes all of ours is concluded too, though no file changed"), async () => {
  const { attempt, run, theirs } = await conflict("all-ours");
  await git(attempt.worktree, "merge", "--no-commit", "--strategy=ours", `origin/${attempt.branch}`);
  const end = await ask(product, ["continue", attempt.id]);
  expect<unknown>({
    ending: ending(end.run),
    parents: await git(product.origin, "log", "-1", "--format=%P", attempt.branch),
    same: await fileAt(product, product.origin, attempt.branch, "same.txt"),
  }).toEqual({ ending: PUSHED, parents: `${run.commit} ${theirs}`, same: "ours" });
});

test(deep("a retry of the push leaves a merge that I am in the middle of alone"), async () => {
  const { attempt, run, theirs } = await conflict("retried");
  await git(attempt.worktree, "merge", "--no-edit", `origin/${attempt.branch}`).catch(() => null);
  await writeFile(join(attempt.worktree, "same.txt"), "half resolved\n");
  const end = await ask(product, ["retry", run.id, "--from", "push"]);
  expect({
    ending: ending(end.run),
    merging: await git(attempt.worktree, "rev-parse", "MERGE_HEAD"),
    same: await readFile(join(attempt.worktree, "same.txt"), "utf8"),
  }).toEqual({
    ending: { status: "FAILED", outcome: null, failure: "conflict" },
    merging: theirs,
    same: "half resolved\n",
  });
});

test(deep("a merge that I left with conflict markers is not committed, and stays as I left it"), async () => {
  const { attempt, run } = await conflict("markers");
  await git(attempt.worktree, "merge", "--no-edit", `origin/${attempt.branch}`).catch(() => null);
  const file = await readFile(join(attempt.worktree, "same.txt"), "utf8");
  const end = await ask(product, ["continue", attempt.id]);
  expect({
    code: end.code,
    ending: ending(end.run),
    message: end.run.failure?.message,
    head: await git(attempt.worktree, "rev-parse", "HEAD"),
    merging: await git(attempt.worktree, "rev-parse", "MERGE_HEAD"),
    file: await readFile(join(attempt.worktree, "same.txt"), "utf8"),
  }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "gate_rejected" },
    message: "same.txt still holds conflict markers.",
    head: run.commit ?? "",
    merging: await git(attempt.worktree, "rev-parse", `origin/${attempt.branch}`),
    file,
  });
});

test(
  deep("a worktree that I switched to another branch is left alone, with a word on how to go on"),
  async () => {
    const { attempt, run } = await start("echo one > one.txt");
    await git(attempt.worktree, "switch", "--quiet", "-c", `mine-${attempt.id.slice(0, 8)}`);
    await product.sandbox.commit(attempt.worktree, { "mine.txt": "mine\n" });
    const mine = await git(attempt.worktree, "rev-parse", "HEAD");
    const end = await ask(product, ["continue", attempt.id, "echo two > two.txt"]);
    expect({
      code: end.code,
      ending: ending(end.run),
      remedy: end.run.failure?.remedy,
      head: await git(attempt.worktree, "rev-parse", "HEAD"),
      branch: await branchAt(product, product.repository, attempt.branch),
    }).toEqual({
      code: 1,
      ending: { status: "FAILED", outcome: null, failure: "worktree_lost" },
      remedy: `Keep what you need of it, then \`git -C '${attempt.worktree}' switch ${attempt.branch}\`. Then \`tazuna retry ${end.run.id.slice(0, 8)}\`.`,
      head: mine,
      branch: run.commit,
    });
  },
);

test(
  deep(
    "edits that a sync would overwrite are kept: they are committed first and merged when they are pushed",
  ),
  async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
    const first = await start(`printf '%s\\n' '${lines}' > long.txt`);
    await product.sandbox.commitTo(product.origin, first.attempt.branch, {
      "long.txt": `${lines.replace("line 0", "their line")}\n`,
    });
    await writeFile(join(first.attempt.worktree, "long.txt"), `${lines.replace("line 19", "my line")}\n`);
    const mine = await ask(product, ["continue", first.attempt.id]);
    expect<unknown>({ ending: ending(mine.run), notes: noteCodes(mine.run) }).toEqual({
      ending: PUSHED,
      notes: ["sync_postponed", "remote_merged"],
    });
    expect(await fileAt(product, product.origin, first.attempt.branch, "long.txt")).toBe(
      lines.replace("line 0", "their line").replace("line 19", "my line"),
    );
  },
);

test("--merge-base merges the newest base before the agent begins", async () => {
  const first = await start("echo one > one.txt");
  const base = await product.sandbox.commitTo(product.origin, "main", { "base.txt": "b\n" });
  const second = await ask(product, [
    "continue",
    first.attempt.id,
    "cat base.txt > seen.txt",
    "--merge-base",
  ]);
  expect<unknown>({ ending: ending(second.run), notes: noteCodes(second.run) }).toEqual({
    ending: PUSHED,
    notes: ["synced"],
  });
  expect(await git(product.origin, "merge-base", base, first.attempt.branch)).toBe(base);
  expect(await changedPaths(product, product.origin, second.run.commit ?? "")).toEqual(["seen.txt"]);
});

test(deep("--merge-base that conflicts is taken back and noted; the run goes on and is pushed"), async () => {
  const first = await start("echo ours > both.txt");
  await product.sandbox.commitTo(product.origin, "main", { "both.txt": "theirs\n" });
  const second = await ask(product, [
    "continue",
    first.attempt.id,
    "cat both.txt > seen.txt",
    "--merge-base",
  ]);
  expect<unknown>({
    ending: ending(second.run),
    notes: second.run.notes.map(({ code, details }) => [code, details.paths]),
  }).toEqual({
    ending: PUSHED,
    notes: [["sync_conflict", ["both.txt"]]],
  });
  expect(await fileAt(product, product.origin, first.attempt.branch, "seen.txt")).toBe("ours");
});

test("seed 003 Phase 4 and Whole workflow: a lost worktree is made again (departs: at its place, from the branch and not the base)", async () => {
  const first = await start("echo one > one.txt");
  await rm(first.attempt.worktree, { recursive: true });
  const second = await ask(product, ["continue", first.attempt.id, "cat one.txt > two.txt"]);
  expect<unknown>({
    ending: ending(second.run),
    notes: noteCodes(second.run),
    worktree: second.attempt.worktree,
  }).toEqual({
    ending: PUSHED,
    notes: ["worktree_restored"],
    worktree: first.attempt.worktree,
  });
  expect(await fileAt(product, product.origin, first.attempt.branch, "two.txt")).toBe("one");
});

test(deep("a worktree and a branch that were both deleted are made again from the last commit"), async () => {
  const first = await start("echo one > one.txt");
  await rm(first.attempt.worktree, { recursive: true });
  await git(product.repository, "worktree", "prune");
  await git(product.repository, "branch", "-D", first.attempt.branch);
  const second = await ask(product, ["continue", first.attempt.id, "cat one.txt > two.txt"]);
  expect<unknown>({ ending: ending(second.run), notes: noteCodes(second.run) }).toEqual({
    ending: PUSHED,
    notes: ["worktree_restored"],
  });
  expect(await git(product.origin, "rev-parse", `${first.attempt.branch}^`)).toBe(first.run.commit ?? "");
});

test("my own edits cannot be committed if the worktree is gone: the run says so and makes nothing", async () => {
  const first = await start("echo one > one.txt");
  await rm(first.attempt.worktree, { recursive: true });
  const mine = await ask(product, ["continue", first.attempt.id]);
  expect({ code: mine.code, ending: ending(mine.run) }).toEqual({
    code: 1,
    ending: { status: "FAILED", outcome: null, failure: "worktree_lost" },
  });
});

test("an attempt that was cancelled, an empty instruction and an unknown id are refused", async () => {
  const first = await start("echo one > one.txt");
  await ask(product, ["cancel", first.attempt.id]);
  const answers = [
    await refused(product, ["continue", first.attempt.id, "more"]),
    await refused(product, ["continue", first.attempt.id, " "]),
    await refused(product, ["continue", "ffffffff", "more"]),
    await refused(product, ["continue", "", "more"]),
  ];
  expect(answers.map(({ code, error }) => [code, error.code])).toEqual([
    [1, "attempt_canceled"],
    [2, "bad_usage"],
    [1, "not_found"],
    [2, "bad_usage"],
  ]);
});

/** An attempt whose push met a commit of someone else that changes the same line. */
async function conflict(name: string) {
  await using barrier = gate(product, name);
  const first = await start("echo base > same.txt");
  const script = `${barrier.wait}; echo ours > same.txt`;
  const racing = await ask(product, ["continue", first.attempt.id, script, "--detach"]);
  await barrier.reached();
  const theirs = await product.sandbox.commitTo(product.origin, first.attempt.branch, {
    "same.txt": "theirs\n",
  });
  await barrier.open();
  const { code, attempt, run } = await ask(product, ["wait", racing.run.id]);
  return { code, attempt, run, theirs };
}
