/** Kills git, or closes a file, at the question that decides a run's next step: nothing is guessed. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGit } from "../../src/git/runner/run-git.ts";
import { ensureBranch } from "../../src/services/branches/ensure-branch.ts";
import { reattachWorktree, remainsOf } from "../../src/services/branches/reattach-worktree.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { readStart } from "../../src/services/run-core/record-start.ts";
import type { RunWorld } from "../../src/services/run-core/step.ts";
import { readLaunch } from "../../src/services/runs/agent/launch.ts";
import { unstagedBaseline } from "../../src/services/runs/check/unstaged-baseline.ts";
import { commitMadeBefore } from "../../src/services/runs/commit/commit-made-before.ts";
import { preparedBefore } from "../../src/services/runs/prepare/prepared-before.ts";
import { runHook } from "../../src/services/runs/stage/run-hook.ts";
import { isSameRepository } from "../../src/services/worktrees/true-cause.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "../git/scene.ts";
import { doomedGit } from "../helpers/doomed-git.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const RUN = "0b1d2f3a";

/** An attempt with one commit on its branch, its worktree, and a git that can be made to fail. */
async function scene() {
  const sandbox = await gitSandbox();
  const doomed = await doomedGit();
  const path = await sandbox.repository("repo");
  const made = await madeWorktree(sandbox, productGit(sandbox), path);
  const commit = await sandbox.commit(made.path, { "made.txt": "made\n" });
  const git = createGit({
    binary: "git",
    env: { ...sandbox.env, PATH: doomed.path },
    timeoutMs: 60_000,
    scratch: join(sandbox.root, "scratch"),
    watch: { folder: join(sandbox.root, "known"), isQuiet: async () => false },
  });
  const paths = dataPaths(join(sandbox.root, "data"));
  const locks = { shared: <T>(_: string, act: () => Promise<T>) => act() };
  const context = { git, paths, locks, reportFault: () => {} } as unknown as ServiceContext;
  const repository = { commonDir: join(path, ".git"), path };
  const attempt = {
    id: "attempt-1",
    gitDir: made.gitDir,
    worktree: made.path,
    branch: made.branchName,
    base: { branch: "main", sha: made.headSha },
  };
  const launch = { number: 1, outOffset: 0, resumed: null, sessionId: null, restarts: 0, primed: false };
  await writeFiles(paths.run(RUN), {
    "launch.json": JSON.stringify(launch),
    "start.json": JSON.stringify({ sha: made.headSha, refs: {}, merging: null }),
  });
  const run = { id: RUN, notes: [] as object[], commit: null, startSha: null };
  const world = { run, attempt, repository, earlier: [], configuration: { values: { hooks: "run" } } };
  return {
    sandbox,
    doomed,
    context,
    path,
    commit,
    base: made.headSha,
    target: made.target,
    paths,
    world: world as unknown as RunWorld,
    [Symbol.asyncDispose]: async () => {
      await doomed[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

interface Question {
  readonly wrong: string;
  /** Of the call that dies. */
  readonly words: (scene: Scene) => string;
  readonly nth?: number;
  /** What is so before; nothing unless told. */
  readonly given?: (scene: Scene) => Promise<unknown>;
  readonly ask: (scene: Scene) => Promise<unknown>;
}

const QUESTIONS: readonly Question[] = [
  {
    wrong: "a lost registration is not taken for one that cannot be made again, with all files put away",
    words: () => "worktree list",
    ask: ({ context, world }) => reattachWorktree(context, world),
  },
  {
    wrong: "a worktree of before an older database is not told as gone",
    words: () => "worktree list",
    ask: ({ context, world }) => preparedBefore(context, world),
  },
  {
    wrong: "a commit of before an older database is not made a second time",
    words: () => "log --max-count=1",
    ask: ({ context, world, target, commit }) => {
      const notes = [{ code: "agent_commit_undone", message: "", details: { head: commit } }];
      const noted = { ...world, run: { ...world.run, notes } };
      return commitMadeBefore(context, noted, { target, message: "made" });
    },
  },
  {
    wrong: "what lay there before a check is not taken for the check's",
    words: () => "ls-files",
    given: ({ target }) => writeFiles(target.workTree, { "mine.txt": "mine\n" }),
    ask: ({ context, world }) => unstagedBaseline(context, world, "HEAD^{tree}"),
  },
  {
    wrong: "a hook is not run without a look whether it was planted",
    words: () => "config --list --includes",
    nth: 2,
    // What is included lies anywhere, so that the settings are read for every call.
    given: async ({ sandbox, path }) => {
      await sandbox.git(path, ["config", "include.path", "/dev/null"]);
      await writeFiles(join(path, ".git/hooks"), {
        "pre-commit": { content: "#!/bin/sh\nexit 0\n", kind: "executable" },
      });
    },
    ask: ({ context, world, target }) =>
      runHook(context, world, { name: "pre-commit", args: [], changed: new Set(), target }),
  },
  {
    wrong: "a deleted branch is not made again at an older commit than its own",
    words: ({ commit }) => `${commit}^{commit}`,
    given: ({ sandbox, path, world }) =>
      sandbox.git(path, ["update-ref", "-d", `refs/heads/${world.attempt.branch}`]),
    ask: ({ context, world, commit }) => ensureBranch(context, { ...world, run: { ...world.run, commit } }),
  },
];

describe("if git is killed", () => {
  test.each(QUESTIONS.map((question) => [question.wrong, question] as const))("%s", async (_, question) => {
    await using there = await scene();
    await question.given?.(there);
    await there.doomed.doom(question.words(there), question.nth ?? 1);
    const answer = await question.ask(there);
    expect(JSON.stringify(answer)).toContain("was ended by SIGKILL");
  });

  test("as it is asked for an attempt's first commit, no other repository is said to lie there", async () => {
    await using there = await scene();
    const { context, world, base, sandbox } = there;
    await there.doomed.doom(`${base}^{commit}`);
    expect(await isSameRepository(context, world)).toBe(true);
    const other = await sandbox.repository("other", { empty: true });
    const elsewhere = { ...world.repository, commonDir: join(other, ".git") };
    expect(await isSameRepository(context, { ...world, repository: elsewhere })).toBe(false);
  });
});

describe("what cannot be read", () => {
  test("is no run whose agent was never started", async () => {
    await using there = await scene();
    const { context, paths } = there;
    expect([await readLaunch(paths.run("other")), await readStart(context, "other")]).toEqual([null, null]);
    for (const name of ["launch.json", "start.json"]) {
      await mkdir(paths.run("closed"), { recursive: true });
      await symlink(name, join(paths.run("closed"), name));
    }
    for (const read of [() => readLaunch(paths.run("closed")), () => readStart(context, "closed")])
      expect(await read().catch((error) => error.code)).toBe("ELOOP");
  });

  test("is no worktree that is gone: it is not made anew beside its files", async () => {
    await using there = await scene();
    const { gitDir } = there.world.attempt;
    const closed = join(there.sandbox.root, "closed");
    await symlink("closed", closed);
    expect(await remainsOf({ gitDir, worktree: closed })).toBe("whole");
    await mkdir(join(there.sandbox.root, "empty"));
    await writeFile(join(there.sandbox.root, "file"), "");
    for (const worktree of ["empty", "file", "none"])
      expect(await remainsOf({ gitDir, worktree: join(there.sandbox.root, worktree) })).toBe("gone");
  });
});
