/** Gathers what a demo holds, so that it can be judged whether anything in it is a person's. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { DemoFacts } from "../../domain/demo/judge-demo.ts";
import { isEnded } from "../../domain/run/state.ts";
import { allCommits, type MadeCommit } from "../../git/refs/all-commits.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import { TAZUNA } from "../../git/repository/identity.ts";
import { listFields } from "../../git/runner/each-field.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { attemptsOfRepository } from "../../storage/queries/repository-attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import type { Uses } from "../core/context-parts.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { CHECKOUT, type Demo, REMOTE } from "./demo-place.ts";

type Trouble = { readonly message: string };

/** Null if the demo's folder is gone: then there is nothing in it. */
export async function examineDemo(
  context: Uses<"db" | "git">,
  { repository, folder }: Demo,
): Promise<Result<DemoFacts | null, Trouble>> {
  const place = await lstatOrNull(folder);
  if (place === null) return ok(null);
  if (!place.isDirectory()) return ok({ ...NOTHING, strangers: [folder] });
  const strangers = (await readdir(folder)).filter((name) => name !== CHECKOUT && name !== REMOTE);
  const attempts = await attemptsOfRepository(context.db.reader, repository.id);
  const known = await commitsOfTazuna(context, attempts);
  const commits: string[] = [];
  const hooks: string[] = [];
  for (const gitDir of [repository.commonDir, join(folder, REMOTE)]) {
    if ((await lstatOrNull(gitDir)) === null) continue;
    const found = await allCommits(context.git, { gitDir, workTree: null });
    if (found.isErr()) return err(found.error);
    commits.push(
      ...found.value.filter((each) => !known.has(each.sha) && !isFirst(each)).map(({ sha }) => sha),
    );
    const names = await readdir(join(gitDir, "hooks")).catch(() => [] as string[]);
    hooks.push(...names.filter((name) => !name.endsWith(".sample")));
  }
  const uncommitted = await uncommittedIn(context, repository.commonDir, repository.path);
  if (uncommitted.isErr()) return err(uncommitted.error);
  const worktrees = await worktreesOf(context, attempts);
  return worktrees.map((all) => ({
    strangers,
    hooks,
    commits: [...new Set(commits)],
    uncommitted: uncommitted.value,
    worktrees: all,
  }));
}

const NOTHING: DemoFacts = { strangers: [], hooks: [], commits: [], uncommitted: [], worktrees: [] };

/** The commit that the demo itself made; a person's change of it has the person as its committer. */
function isFirst({ parents, by }: MadeCommit): boolean {
  return parents.length === 0 && by.every((address) => address === TAZUNA.email);
}

/** Commits of runs and of merges, as they were recorded. A person's own edits are a run too, and are left out. */
async function commitsOfTazuna(
  { db }: Uses<"db">,
  attempts: readonly Attempt[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const subjects = new Set<string>();
  for (const { id, merged } of attempts) {
    subjects.add(id);
    if (merged !== null) known.add(merged.commit);
    for (const run of await runsOfAttempt(db.reader, id)) {
      subjects.add(run.id);
      if (run.commit !== null && run.kind !== "commit") known.add(run.commit);
    }
  }
  for (const { subject, before, after } of await operationsOfKinds(db.reader, ["merge", "merge_attempt"]))
    if (subjects.has(subject.id))
      for (const sha of [before?.to, after?.sha]) if (typeof sha === "string") known.add(sha);
  return known;
}

async function uncommittedIn(
  context: Uses<"git">,
  gitDir: string,
  workTree: string,
): Promise<Result<readonly string[], Trouble>> {
  if ((await lstatOrNull(workTree)) === null) return ok([]);
  return statusOf(context, { gitDir, workTree });
}

/** Ignored files too. */
async function statusOf(
  { git }: Uses<"git">,
  target: GitTarget,
): Promise<Result<readonly string[], Trouble>> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignored=matching", "--no-renames"];
  const listed = await listFields(git, target, args);
  return listed.map((lines) => lines.map((line) => line.slice(3)));
}

/** Of the attempts whose worktree is there and where no agent works. */
async function worktreesOf(
  context: Uses<"db" | "git">,
  attempts: readonly Attempt[],
): Promise<Result<DemoFacts["worktrees"], Trouble>> {
  const found: DemoFacts["worktrees"][number][] = [];
  for (const attempt of attempts) {
    const { worktree, gitDir, state } = attempt;
    if (state !== "open" || gitDir === null || (await lstatOrNull(worktree)) === null) continue;
    const last = workOf(await runsOfAttempt(context.db.reader, attempt.id)).at(-1);
    if (last === undefined || !isEnded(last.status)) continue;
    const changed = await changedSince(context, worktreeTarget(attempt), last.id);
    if (changed.isErr()) return err(changed.error);
    found.push({ path: worktree, changed: changed.value });
  }
  return ok(found);
}

/** What differs from the tree that a run left. A demo agent makes no new files, so every untracked one is a person's. */
async function changedSince(
  context: Uses<"git">,
  target: GitTarget,
  run: string,
): Promise<Result<readonly string[], Trouble>> {
  const trees = await readRunTrees(context.git, target, run);
  if (trees.isErr()) return err(trees.error);
  const left = trees.value.after ?? "HEAD";
  const args = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", left, "--"];
  const changed = await listFields(context.git, target, args);
  if (changed.isErr()) return err(changed.error);
  const untracked = await listFields(context.git, target, ["ls-files", "--others", "-z"]);
  return untracked.map((names) => [...changed.value, ...names]);
}
