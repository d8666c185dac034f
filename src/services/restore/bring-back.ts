/** Makes a trashed attempt's branch and worktree again and moves its files in; every step may be repeated. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { resetMixed } from "../../git/index/whole-index.ts";
import { readRef } from "../../git/refs/refs.ts";
import { type AddWorktreeError, addWorktreeOnBranch } from "../../git/worktree/worktree-add.ts";
import { inspectWorktree } from "../../git/worktree/worktree-list.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { restoreBranch } from "../branches/restore-branch.ts";
import type { GitContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { TrashedAttempt } from "../trash/trash-entries.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { isBarelyBegun, putHalfMadeAside } from "../worktrees/half-made.ts";
import { restoreModules } from "../worktrees/keep-modules.ts";
import { wholeWorktree } from "../worktrees/make-worktree.ts";
import { bringFiles, clearEntry } from "./bring-files.ts";

type Fault = { readonly kind: string; readonly message: string; readonly path?: string | null };

interface BroughtBack {
  readonly gitDir: string;
  /** The commit that the branch is at. */
  readonly sha: string;
  /** What stays in the trash: a `.git` that git did not make. */
  readonly left: readonly string[];
}

/**
 * Makes the branch, a worktree without files, the files and the index (`reset --mixed`). Deletes the empty folder in
 * the trash.
 */
export async function bringBack(
  context: WorktreeContext,
  trashed: TrashedAttempt,
): Promise<Result<BroughtBack, Fault>> {
  return safeTry(async function* () {
    const { attempt, entry, repository } = trashed;
    // A git process that was killed in an earlier try may have left lock files.
    await clearStaleLocks(trashed);
    const sha = yield* await context.locks.shared(repository.commonDir, () =>
      restoreBranch(context, trashed, () => tipOfBranch(context, trashed)),
    );
    const { gitDir } = yield* await context.locks.shared(repository.commonDir, () =>
      makePlace(context, trashed),
    );
    await restoreModules(context, attempt.id, gitDir);
    context.failpoint("restore:files");
    const places = { from: entry.path, to: attempt.worktree };
    const taken = await bringFiles(context, places);
    if (taken !== null) return err({ kind: "path_taken", path: taken, message: `${taken} is there already` });
    context.failpoint("restore:index");
    await clearStaleLocks({ repository, attempt: { ...attempt, gitDir } });
    yield* await resetMixed(context.git, { gitDir, workTree: attempt.worktree });
    const left = await clearEntry(places);
    return ok({ gitDir, sha, left });
  });
}

/** A worktree without files, or the one that an interrupted restore made. */
async function makePlace(
  context: GitContext & Uses<"paths">,
  { attempt, repository }: TrashedAttempt,
): Promise<Result<{ readonly gitDir: string }, AddWorktreeError | Fault>> {
  return safeTry(async function* () {
    const { worktree: path, branch } = attempt;
    const target = repositoryTarget(repository);
    const place = yield* await inspectWorktree(context.git, target, { path, branch });
    const whole = wholeWorktree(place, branch);
    if (whole !== null) return ok(whole);
    if (place.directory !== "absent" && !(await isBarelyBegun(path)))
      return err({ kind: "path_taken", path, message: `something else lies at ${path}` });
    yield* await putHalfMadeAside(context, { attempt, repository }, place);
    // The new worktree inherits the patterns of a sparse checkout from it.
    const checkout = yield* (await findCheckout(repository)).mapErr((error) => ({
      kind: "repository_gone",
      message: error,
    }));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const from = { gitDir: checkout.gitDir, workTree: null };
    return journaled(
      context,
      { kind: "worktree_add", subject: { type: "attempt", id: attempt.id }, before: { path, branch } },
      () =>
        addWorktreeOnBranch(context.git, from, { path, branch, baseBranch: attempt.base.branch ?? branch }),
      ({ gitDir, headSha }) => ({ path, branch, gitDir, sha: headSha }),
    );
  });
}

type Unknown = { readonly kind: string; readonly message: string };

/**
 * The commit at which an attempt's branch was when Tazuna removed it, from the journal. If a person deleted the branch,
 * the commit that its snapshot was taken on.
 */
async function tipOfBranch(
  context: Uses<"db" | "git">,
  { attempt, repository, entry }: TrashedAttempt,
): Promise<Result<string, Unknown>> {
  const deletions = await operationsOfKinds(context.db.reader, ["branch_delete"], attempt.id);
  const since = deletions.findLast(({ at }) => at >= entry.deletedAt)?.before?.sha;
  const known = typeof since === "string" ? since : entry.snapshot === null ? null : `${entry.snapshot}^`;
  if (known === null) return err(lost(attempt));
  const tip = await readRef(context.git, repositoryTarget(repository), `${known}^{commit}`);
  if (tip.isErr()) return err(tip.error);
  return tip.value === null ? err(lost(attempt)) : ok(tip.value);
}

function lost(attempt: Attempt): Unknown {
  return {
    kind: "branch_lost",
    message: `the commits of ${attempt.branch} are not in the repository any more`,
  };
}
