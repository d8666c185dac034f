/** Makes a trashed attempt's branch and worktree again and moves its files in; every step may be repeated. */
import { lstat, mkdir, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { resetMixed } from "../../git/reset-mixed.ts";
import { type AddWorktreeError, addWorktreeOnBranch } from "../../git/worktree-add.ts";
import { inspectWorktree } from "../../git/worktree-list.ts";
import { moveEntries } from "../../utils/move-entries.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { findCheckout } from "../repositories/find-checkout.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { isBarelyBegun, putHalfMadeAside } from "../worktrees/half-made.ts";
import { bringModulesBack } from "../worktrees/keep-modules.ts";
import { wholeWorktree } from "../worktrees/make-worktree.ts";
import { restoreBranch } from "../worktrees/restore-branch.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { tipOfBranch } from "./tip-of-branch.ts";
import type { TrashedWorktree } from "./trash-entries.ts";

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
  readonly entry: TrashedWorktree;
}

type Fault = { readonly kind: string; readonly message: string; readonly path?: string | null };

export interface BroughtBack {
  readonly gitDir: string;
  /** The commit that the branch is at. */
  readonly sha: string;
  /** What stays in the trash: a `.git` that git did not make. */
  readonly left: readonly string[];
}

/** Branch, worktree without files, the files, the index (`reset --mixed`); the empty folder in the trash goes. */
export async function bringBack(context: ServiceContext, of: Of): Promise<Result<BroughtBack, Fault>> {
  const { attempt, entry, repository } = of;
  // A git that was killed in an earlier try may have left some.
  await clearStaleLocks(of);
  const sha = await context.locks.shared(repository.commonDir, () =>
    restoreBranch(context, of, () => tipOfBranch(context, of)),
  );
  if (sha.isErr()) return err(sha.error);
  const made = await context.locks.shared(repository.commonDir, () => makePlace(context, of));
  if (made.isErr()) return err(made.error);
  const { gitDir } = made.value;
  await bringModulesBack(context, attempt.id, gitDir);
  context.failpoint("restore:files");
  const taken = await moveEntries(entry.path, attempt.worktree, { except: [".git"] });
  if (taken !== null) return err({ kind: "path_taken", path: taken, message: `${taken} is there already` });
  context.failpoint("restore:index");
  await clearStaleLocks({ repository, attempt: { ...attempt, gitDir } });
  const reset = await resetMixed(context.git, { gitDir, workTree: attempt.worktree });
  if (reset.isErr()) return err(reset.error);
  const left = await clearPlace(entry.path);
  return ok({ gitDir, sha: sha.value, left });
}

/** A worktree without files, or the one that a restore made which was cut off. */
async function makePlace(
  context: ServiceContext,
  { attempt, repository }: Of,
): Promise<Result<{ readonly gitDir: string }, AddWorktreeError | Fault>> {
  const { worktree: path, branch } = attempt;
  const target = repositoryTarget(repository);
  const place = await inspectWorktree(context.git, target, { path, branch });
  if (place.isErr()) return err(place.error);
  const whole = wholeWorktree(place.value, branch);
  if (whole !== null) return ok(whole);
  if (place.value.directory !== "absent" && !(await isBarelyBegun(path)))
    return err({ kind: "path_taken", path, message: `something else lies at ${path}` });
  const aside = await putHalfMadeAside(context, { attempt, repository }, place.value);
  if (aside.isErr()) return err(aside.error);
  // A sparse checkout's patterns are inherited from it.
  const checkout = await findCheckout(repository);
  if (checkout.isErr()) return err({ kind: "repository_gone", message: checkout.error });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const from = { gitDir: checkout.value.gitDir, workTree: null };
  return journaled(
    context,
    { kind: "worktree_add", subject: { type: "attempt", id: attempt.id }, before: { path, branch } },
    () => addWorktreeOnBranch(context.git, from, { path, branch, baseBranch: attempt.base.branch ?? branch }),
    ({ gitDir, headSha }) => ({ path, branch, gitDir, sha: headSha }),
  );
}

/** Git's own `.git` file is made anew; anything else of that name is somebody's work. */
async function clearPlace(trash: string): Promise<readonly string[]> {
  const pointer = join(trash, ".git");
  const found = await lstat(pointer).catch(() => null);
  if (found !== null && !found.isFile()) return [".git"];
  if (found !== null) await unlink(pointer);
  await rmdir(trash).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  return [];
}
