/** Tells how an attempt stands over all its runs: its state, its changes as in `diff`, and its commit. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { DiffFiles } from "../../src/contract/endpoints/attempts.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { ask, branchAt, fileAt, gate, noteCodes, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (script: string, env: Record<string, string> = {}) =>
  ask(product, ["run", script, "--agent", "doer"], { env });
const show = async (id: string) => (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();

/** What `diff` counts. */
async function counted(id: string) {
  const { files } = (await product.tazuna(["diff", id, "--stat", "--json"])).json<DiffFiles>();
  return {
    files: files.length,
    additions: files.reduce((sum, file) => sum + (file.additions ?? 0), 0),
    deletions: files.reduce((sum, file) => sum + (file.deletions ?? 0), 0),
  };
}

/** What git itself counts between two commits. */
async function byGit(from: string, to: string) {
  const text = await git(product.repository, "diff", "--numstat", "--find-renames", from, to);
  const lines = text.split("\n").filter((line) => line !== "");
  const sum = (column: number) =>
    lines.reduce((total, line) => total + (Number(line.split("\t")[column]) || 0), 0);
  return { files: lines.length, additions: sum(0), deletions: sum(1) };
}

/** A commit of a colleague on the remote's `main`. */
async function advanceMain(path: string): Promise<void> {
  await appendFile(join(product.repository, path), `more of ${path}\n`);
  await git(product.repository, "add", path);
  await git(product.repository, "commit", "-q", "-m", `Change ${path}`);
  await git(product.repository, "push", "-q", "origin", "main");
}

async function pushedByColleague(branch: string, path: string): Promise<void> {
  const clone = join(product.home, `colleague-${branch.replaceAll("/", "-")}-${path}`);
  await git(product.home, "clone", "-q", "--branch", branch, product.origin, clone);
  await writeFile(join(clone, path), "of a colleague\n");
  await git(clone, "add", path);
  await git(clone, "commit", "-q", "-m", `Add ${path}`);
  await git(clone, "push", "-q", "origin", branch);
  await rm(clone, { recursive: true });
}

test(
  deep(
    "a follow-up that changes nothing, fails or is stopped in the queue leaves what was pushed, and its commit",
  ),
  async () => {
    const first = await run("echo one > one.txt");
    const id = first.attempt.id;
    const changes = { files: 1, additions: 1, deletions: 0 };
    const pushed = { state: "pushed", changes, commit: first.run.commit };
    expect(first.attempt).toMatchObject(pushed);
    expect((await ask(product, ["continue", id, "true"])).attempt).toMatchObject(pushed);
    const failed = await ask(product, ["continue", id, "echo half > half.txt; exit 3"]);
    expect(failed.attempt).toMatchObject({ ...pushed, state: "failed", changes: { files: 2, additions: 2 } });
    expect(await counted(id)).toMatchObject({ files: 2, additions: 2 });
    await using barrier = gate(product, "queue");
    const working = await ask(product, ["continue", id, `rm half.txt; ${barrier.wait}`, "--detach"]);
    await barrier.reached();
    expect((await show(id)).state).toBe("working");
    await barrier.open();
    expect((await ask(product, ["wait", working.run.id])).attempt).toMatchObject(pushed);
    const listed = (await product.tazuna(["list"])).stdout;
    expect(listed).toContain("Pushed");
    expect(listed).toContain("1 file +1 -0");
  },
);

test(deep("an undone commit is no commit of the attempt any more; put back, it is again"), async () => {
  const first = await run("echo one > one.txt", { TAZUNA_PUBLISH: "commit" });
  const id = first.attempt.id;
  expect(first.attempt).toMatchObject({ state: "committed", commit: first.run.commit });
  const { operations } = (await product.tazuna(["activity", id, "--json"])).json<{
    operations: OperationDocument[];
  }>();
  const commit = operations.find(({ kind }) => kind === "commit")?.id ?? "";
  const undone = (await product.tazuna(["undo", commit, "--json"])).json<{ operation: OperationDocument }>();
  expect(await show(id)).toMatchObject({ state: "needs_you", commit: null, changes: { files: 1 } });
  expect((await product.tazuna(["list"])).stdout).toContain("Commit undone");
  await product.tazuna(["undo", undone.operation.id]);
  expect(await show(id)).toMatchObject({ state: "committed", commit: first.run.commit });
});

test(
  deep("`continue --merge-base` publishes the merge though the agent changes nothing, and moves the base"),
  async () => {
    const first = await run("echo one > one.txt");
    await advanceMain("base.txt");
    const main = await git(product.repository, "rev-parse", "main");
    const merged = await ask(product, ["continue", first.attempt.id, "true", "--merge-base"]);
    expect(merged.attempt).toMatchObject({
      state: "pushed",
      base: { branch: "main", sha: main },
      changes: { files: 1, additions: 1, deletions: 0 },
    });
    const tip = await branchAt(product, product.origin, first.attempt.branch);
    expect([merged.attempt.commit, merged.run.commit]).toEqual([tip, tip]);
    expect(await git(product.origin, "show", "-s", "--format=%P", tip ?? "")).toBe(
      `${first.run.commit} ${main}`,
    );
    expect(await fileAt(product, product.origin, first.attempt.branch, "base.txt")).toContain("base.txt");
    expect(await counted(first.attempt.id)).toEqual({ files: 1, additions: 1, deletions: 0 });
    const again = await ask(product, ["continue", first.attempt.id, "true", "--merge-base"]);
    expect([again.run.outcome, again.attempt.commit, noteCodes(again.run)]).toEqual(["no_changes", tip, []]);
  },
);

test(deep("a base that a person merged in the worktree moves the attempt's base too"), async () => {
  const first = await run("echo one > one.txt");
  await advanceMain("theirs.txt");
  const main = await git(product.repository, "rev-parse", "main");
  await git(first.attempt.worktree, "merge", "-q", "--no-edit", "main");
  const next = await ask(product, ["continue", first.attempt.id, "echo two > two.txt"]);
  expect(next.attempt).toMatchObject({ state: "pushed", base: { sha: main }, changes: { files: 2 } });
});

test("a person's commit, amend, push and reset on the branch is reported at once, and by later runs (promise 5.1)", async () => {
  const first = await run("echo one > one.txt");
  const { id, worktree, branch } = first.attempt;
  const tip = () => git(worktree, "rev-parse", "HEAD");
  const told = async () => {
    const { state, commit, changes } = await show(id);
    expect(changes).toEqual(await counted(id));
    return [state, commit, changes?.files];
  };
  await writeFile(join(worktree, "mine.txt"), "by hand\n");
  await git(worktree, "add", "--all");
  await git(worktree, "commit", "-q", "-m", "Mine");
  expect(await told()).toEqual(["committed", await tip(), 2]);
  expect((await product.tazuna(["list"])).stdout).toMatch(/Committed +2 files \+2 -0/);
  await ask(product, ["continue", id, "true"]);
  expect(await told()).toEqual(["committed", await tip(), 2]);
  await git(worktree, "commit", "-q", "--amend", "--allow-empty", "-m", "Mine, better");
  expect(await told()).toEqual(["committed", await tip(), 2]);
  await git(product.repository, "pack-refs", "--all");
  expect(await told()).toEqual(["committed", await tip(), 2]);
  await git(worktree, "push", "-q", "origin", branch);
  expect(await told()).toEqual(["pushed", await tip(), 2]);
  await git(worktree, "commit", "-q", "--allow-empty", "-m", "Nothing");
  expect(await told()).toEqual(["committed", await tip(), 2]);
  await git(worktree, "reset", "-q", "--hard", first.run.commit ?? "");
  expect(await told()).toEqual(["pushed", first.run.commit, 1]);
  await git(worktree, "reset", "-q", "--hard", first.attempt.base.sha ?? "");
  expect(await told()).toEqual(["pushed", null, 0]);
});

test(deep("an attempt that a person rebased has the newer base as its own"), async () => {
  const first = await run("echo one > one.txt");
  await advanceMain("rebased.txt");
  const main = await git(product.repository, "rev-parse", "main");
  await git(first.attempt.worktree, "rebase", "-q", "origin/main");
  const changes = { files: 1, additions: 1, deletions: 0 };
  expect(await show(first.attempt.id)).toMatchObject({ state: "committed", base: { sha: main }, changes });
  expect(await counted(first.attempt.id)).toEqual(changes);
});

test(
  deep("a base that has merged the attempt, and other work, is its base once it is merged back"),
  async () => {
    const first = await run("echo merged > merged.txt");
    await advanceMain("other.txt");
    await git(product.repository, "merge", "-q", "--no-ff", "--no-edit", first.attempt.branch);
    await git(product.repository, "push", "-q", "origin", "main");
    expect(await show(first.attempt.id)).toMatchObject({ state: "pushed", changes: { files: 1 } });
    const main = await git(product.repository, "rev-parse", "main");
    const next = await ask(product, ["continue", first.attempt.id, "echo two > two.txt", "--merge-base"]);
    expect(next.attempt).toMatchObject({ base: { sha: main }, changes: { files: 1, additions: 1 } });
  },
);

test(deep("a branch without commits of its own moves along with its base, and is not pushed"), async () => {
  const first = await run("true");
  expect(first.attempt).toMatchObject({ state: "no_changes", commit: null });
  await advanceMain("forward.txt");
  const main = await git(product.repository, "rev-parse", "main");
  const next = await ask(product, ["continue", first.attempt.id, "true", "--merge-base"]);
  expect(next.attempt).toMatchObject({
    state: "no_changes",
    base: { sha: main },
    changes: { files: 0, additions: 0, deletions: 0 },
  });
  expect(await branchAt(product, product.origin, first.attempt.branch)).toBeNull();
});

test(
  deep("runs without changes, and patches that an older version did not store, are counted when asked for"),
  async () => {
    await product.configure({ setup: ["exit 4"] });
    const failed = await run("echo one > one.txt");
    await product.configure({ setup: [] });
    const none = { files: 0, additions: 0, deletions: 0 };
    expect(failed.attempt).toMatchObject({ state: "failed", commit: null, changes: none });
    expect(await counted(failed.attempt.id)).toEqual(none);
    const first = await run("printf 'a\\nb\\n' > two.txt");
    await product.killEngine();
    storedRows(product.home, { sql: "update attempts set patch = null" });
    expect(await show(first.attempt.id)).toMatchObject({ changes: { files: 1, additions: 2, deletions: 0 } });
    expect(await show(failed.attempt.id)).toMatchObject({ changes: none });
  },
);

type Act = (end: TaskEnd, step: number) => Promise<unknown>;

const follow =
  (script: string): Act =>
  (end) =>
    ask(product, ["continue", end.attempt.id, script]);

/** What may happen to an attempt, by name. */
const ACTS: Readonly<Record<string, Act>> = {
  add: (end, step) => follow(`printf 'a\nb\n' > added-${step}.txt`)(end, step),
  change: follow("echo more >> one.txt"),
  revert: follow(
    "rm -f one.txt added-*.txt; git show $(git merge-base HEAD origin/main):README.md > README.md",
  ),
  nothing: follow("true"),
  fail: follow("echo broken > broken.txt; exit 1"),
  edit: async (end) => {
    await appendFile(join(end.attempt.worktree, "mine.txt"), "by hand\n");
    return ask(product, ["continue", end.attempt.id]);
  },
  commit: async (end, step) => {
    await writeFile(join(end.attempt.worktree, `own-${step}.txt`), "by hand\n");
    await git(end.attempt.worktree, "add", "--all");
    await git(end.attempt.worktree, "commit", "-q", "-m", "By hand");
  },
  amend: (end) => git(end.attempt.worktree, "commit", "-q", "--amend", "--allow-empty", "-m", "Amended"),
  rename: follow("git mv one.txt 'moved é.txt' 2>/dev/null || mv one.txt 'moved é.txt' || true"),
  binary: follow("printf 'a\\0b' > blob.bin; chmod +x README.md"),
  base: async (end, step) => {
    await advanceMain(`main-${end.attempt.id.slice(0, 4)}-${step}.txt`);
    return ask(product, ["continue", end.attempt.id, "true", "--merge-base"]);
  },
  colleague: async (end, step) => {
    const there = await branchAt(product, product.origin, end.attempt.branch);
    if (there !== null) await pushedByColleague(end.attempt.branch, `colleague-${step}.txt`);
    return ask(product, ["continue", end.attempt.id, "echo after >> after.txt"]);
  },
  restore: (end) => product.tazuna(["restore", end.run.id]),
  retry: (end) => ask(product, ["retry", end.run.id]),
};

test(
  deep(
    "its changes are those of `diff` and its commit the branch's, whatever has happened to it (promise 5.1)",
  ),
  async () => {
    const acts = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 5, maxLength: 5 });
    for (const history of fc.sample(acts, { seed: 11, numRuns: 3 })) {
      const first = await run("echo one > one.txt");
      for (const [step, name] of history.entries()) {
        await ACTS[name]?.(first, step);
        const now = await show(first.attempt.id);
        const told = `${history.slice(0, step + 1)}`;
        expect([told, now.changes]).toEqual([told, await counted(now.id)]);
        const { commit, base, state } = now;
        if (commit === null || base.sha === null) throw new Error(`${told}: no commit`);
        expect<unknown>([told, commit]).toEqual([
          told,
          await branchAt(product, product.repository, now.branch),
        ]);
        if (state !== "pushed") continue;
        expect<unknown>([told, commit]).toEqual([told, await branchAt(product, product.origin, now.branch)]);
        expect<unknown>([told, now.changes]).toEqual([told, await byGit(base.sha, commit)]);
      }
    }
  },
);
