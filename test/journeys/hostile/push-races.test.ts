/** Tells that the remote gets only judged commits, also if a program moves the branch during the push. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, ending, noteCodes, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { holdAt } from "../crash/held.ts";

setDefaultTimeout(PATIENCE_MS);

/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const REJECTED = { status: "FAILED", outcome: null, failure: "gate_rejected" };

/** What a program of an agent may do as the same user, to the branch and to its repository. */
type Act = (branch: string) => Promise<unknown>;

interface World {
  readonly product: Product;
  readonly git: (...args: string[]) => Promise<string>;
  /** A commit with a credential in it; without parents, a history of its own. */
  readonly evil: (...parents: string[]) => Promise<string>;
  /** What the command comes to, in whose middle the engine is held while the program acts. */
  readonly during: (act: Act, branch: string, command: readonly string[]) => Promise<TaskEnd>;
  /** An attempt that was pushed once, and whose next run has committed, and pushed nothing. */
  readonly committed: () => Promise<TaskEnd>;
}

async function world(failpoint: string): Promise<World & AsyncDisposable> {
  const product = await startProduct({ isolation: "guard" });
  const held = holdAt(product, failpoint);
  const git = (...args: string[]) => product.sandbox.git(product.repository, args);
  await product.agent("writer", "echo work >> work.txt");
  await writeFile(join(product.home, "loot.txt"), `${TOKEN}\n`);
  // Every command that starts the engine has the failpoint; it does nothing until it is armed.
  const reached = join(dirname(product.home), "reached");
  await writeFile(reached, "");
  await product.tazuna(["run", "Begin", "--agent", "writer"], { env: held.env });
  return {
    product,
    git,
    evil: async (...parents) => {
      const blob = await git("hash-object", "-w", join(product.home, "loot.txt"));
      const tree = await product.sandbox.git(product.repository, ["mktree"], {
        stdin: `100644 blob ${blob}\tloot.txt\n`,
      });
      return git("commit-tree", "-m", "Loot", ...parents.flatMap((parent) => ["-p", parent]), tree);
    },
    during: async (act, branch, command) => {
      await rm(reached);
      const asked = ask(product, command);
      const pid = await held.stands();
      await act(branch).finally(() => process.kill(pid, "SIGCONT"));
      return asked;
    },
    committed: async () => {
      const pushed = await ask(product, ["run", "Write", "--agent", "writer"]);
      return ask(product, ["continue", pushed.attempt.id, "More"], { env: { TAZUNA_PUBLISH: "commit" } });
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** Every version of every file at the remote. */
function atOrigin({ product }: World): Promise<string> {
  return product.sandbox.git(product.origin, ["cat-file", "--batch-all-objects", "--batch", "--unordered"]);
}

/** The commits that the remote has beyond `main`. */
function commitsAt({ product }: World, branch: string): Promise<string> {
  return product.sandbox.git(product.origin, ["rev-list", "--count", `main..${branch}`]);
}

/** Whether a snapshot keeps the commit. */
async function isKept({ git }: World, sha: string): Promise<boolean> {
  return (await git("for-each-ref", `--contains=${sha}`, "refs/tazuna/snapshots/")) !== "";
}

describe("as git is about to push", () => {
  let held: World & AsyncDisposable;
  beforeAll(async () => {
    held = await world("before:push");
  });
  afterAll(() => held?.[Symbol.asyncDispose]());

  test.each<[string, (branch: string, evil: string) => readonly string[], string | null]>([
    [
      "commits of its own on the branch",
      (branch, evil) => ["update-ref", `refs/heads/${branch}`, evil],
      "agent_commit_undone",
    ],
    [
      "the branch as another name of another one",
      (branch) => ["symbolic-ref", `refs/heads/${branch}`, "refs/heads/elsewhere"],
      "agent_commit_undone",
    ],
    ["no branch", (branch) => ["update-ref", "-d", `refs/heads/${branch}`], null],
  ])("%s: what was judged is pushed, the branch is put back and it is told", async (what, act, code) => {
    const { product, git } = held;
    const { attempt } = await held.committed();
    const judged = await git("rev-parse", attempt.branch);
    const evil = await held.evil(judged);
    await git("update-ref", "refs/heads/elsewhere", evil);
    const end = await held.during((branch) => git(...act(branch, evil)), attempt.branch, [
      "publish",
      attempt.id,
    ]);
    expect<unknown>({ ending: ending(end.run), commit: end.run.commit }).toEqual({
      ending: PUSHED,
      commit: judged,
    });
    expect(await branchAt(product, product.origin, attempt.branch)).toBe(judged);
    expect(await atOrigin(held)).not.toContain(TOKEN);
    expect(noteCodes(end.run)).toEqual(code === null ? [] : [code]);
    expect(await git("for-each-ref", "--format=%(objectname)%(symref)", `refs/heads/${attempt.branch}`)).toBe(
      judged,
    );
    if (code !== null) expect(await isKept(held, evil)).toBe(true);
    tally("attack", `as git is about to push: ${what}`, { under: "guard" });
  });

  test("if the branch cannot be read, what was judged is pushed, and the unknown branch is reported", async () => {
    const { product, git } = held;
    const { attempt } = await held.committed();
    const judged = await git("rev-parse", attempt.branch);
    const file = join(product.repository, ".git", "refs", "heads", attempt.branch);
    const end = await held.during(() => writeFile(file, "no commit\n"), attempt.branch, [
      "publish",
      attempt.id,
    ]);
    await writeFile(file, `${judged}\n`);
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await branchAt(product, product.origin, attempt.branch)).toBe(judged);
    expect(noteCodes(end.run)).toEqual(["branch_unproved"]);
    tally("attack", "as git is about to push: a branch that nobody can read", { under: "guard" });
  });

  test(
    deep("commits of its own below the merge, if others pushed first: only judged commits are merged"),
    async () => {
      const { product, git } = held;
      const { attempt } = await held.committed();
      const judged = await git("rev-parse", attempt.branch);
      const theirs = await product.sandbox.commitTo(product.origin, attempt.branch, { "theirs.txt": "t\n" });
      const evil = await held.evil(judged);
      const end = await held.during(
        (branch) => git("update-ref", `refs/heads/${branch}`, evil),
        attempt.branch,
        ["publish", attempt.id],
      );
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      expect(await product.sandbox.git(product.origin, ["log", "-1", "--format=%P", attempt.branch])).toBe(
        `${judged} ${theirs}`,
      );
      expect(await atOrigin(held)).not.toContain(TOKEN);
      expect(noteCodes(end.run)).toEqual(["agent_commit_undone", "remote_merged"]);
      tally("attack", "as git is about to push: commits under a merge", { under: "guard" });
    },
  );
});

describe("between a merge of what others pushed and the push of it", () => {
  let held: World & AsyncDisposable;
  beforeAll(async () => {
    held = await world("before:merge_proof");
  });
  afterAll(() => held?.[Symbol.asyncDispose]());

  test.each<[string, (of: { judged: string; theirs: string; merged: string }) => Promise<string>, string]>([
    ["a commit on top of the merge", ({ merged }) => held.evil(merged), "changed_meanwhile"],
    ["a commit in place of it", ({ judged }) => held.evil(judged), "changed_meanwhile"],
    ["a merge with commits of its own", ({ judged }) => mergeWithEvil(judged), "changed_meanwhile"],
    ["another tree of the same merge", ({ judged, theirs }) => held.evil(judged, theirs), "credential"],
  ])(
    "%s: nothing is pushed, the branch is put back, and a later push is of what was judged",
    async (what, made, rule) => {
      const { product, git } = held;
      const { attempt } = await held.committed();
      const judged = await git("rev-parse", attempt.branch);
      const theirs = await product.sandbox.commitTo(product.origin, attempt.branch, { "theirs.txt": "t\n" });
      let evil = "";
      const act: Act = async (branch) => {
        evil = await made({ judged, theirs, merged: await git("rev-parse", branch) });
        await git("update-ref", `refs/heads/${branch}`, evil);
        // What Tazuna noted of the remote can be written too.
        await git("update-ref", `refs/remotes/origin/${branch}`, evil);
      };
      const end = await held.during(act, attempt.branch, ["publish", attempt.id]);
      expect<unknown>(ending(end.run)).toEqual(REJECTED);
      expect(end.run.failure?.details.findings).toMatchObject([{ rule }]);
      expect(await branchAt(product, product.origin, attempt.branch)).toBe(theirs);
      expect(await branchAt(product, product.repository, attempt.branch)).toBe(judged);
      expect(await isKept(held, evil)).toBe(true);
      // Files that are of no merge of ours stay as they lie there, for a person to look at.
      await git("-C", attempt.worktree, "reset", "--hard", "--quiet");
      await git("-C", attempt.worktree, "clean", "-fdq");
      const again = await ask(product, ["publish", attempt.id]);
      expect<unknown>(ending(again.run)).toEqual(PUSHED);
      expect(await commitsAt(held, attempt.branch)).toBe("4");
      expect(await atOrigin(held)).not.toContain(TOKEN);
      tally("attack", `between merge and push: ${what}`, { under: "guard" });
    },
  );

  async function mergeWithEvil(judged: string): Promise<string> {
    return held.evil(judged, await held.evil());
  }
});

test(
  deep(
    "a worktree that a person has switched to a branch of theirs: what others pushed is not merged into that",
  ),
  async () => {
    await using held = await world("before:merge");
    const { product, git } = held;
    const { attempt } = await held.committed();
    await product.sandbox.commitTo(product.origin, attempt.branch, { "theirs.txt": "t\n" });
    await git("-C", attempt.worktree, "switch", "--quiet", "-c", "mine");
    const mine = await git("rev-parse", "mine");
    const end = await ask(product, ["publish", attempt.id]);
    expect<unknown>(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "conflict" });
    expect(await git("rev-parse", "mine")).toBe(mine);
  },
);
