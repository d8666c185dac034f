/** Moves the target to the merge: by compare-and-swap, or with its files in the checkout that holds it. */
import { sep } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Merged } from "../../domain/attempt/attempt.ts";
import { someOf } from "../../domain/text/listed.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { type BranchHolder, branchHolder } from "../../git/merge/branch-holder.ts";
import { fastForward } from "../../git/merge/fast-forward.ts";
import { readRef, updateRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { operationInProgress } from "../../git/worktree/merge-state.ts";
import { trackedChanges } from "../../git/worktree/tracked-changes.ts";
import { noteMerged } from "../attempts/note-merged.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { askedBy, journaled } from "../core/journal.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { Target } from "./find-target.ts";
import { gitRefusal, type Landing } from "./landing-world.ts";
import { settleFastForward } from "./settle-checkout.ts";

interface Move {
  readonly landing: Landing;
  readonly target: Target;
  /** The commit that it goes to. */
  readonly to: string;
  readonly squash: boolean;
}

/**
 * The checkout in which the target is held, if `here` allows to write there; null if no worktree holds it. Refused if
 * one holds it that may not be written.
 */
export async function placeToMerge(
  context: Uses<"git" | "paths">,
  { attempt, repository, tipName }: Landing,
  { target, here, squash }: { readonly target: Target; readonly here: boolean; readonly squash: boolean },
): Promise<Result<BranchHolder | null, Refusal>> {
  const found = await branchHolder(context.git, repositoryTarget(repository), target.name);
  if (found.isErr()) return err(gitRefusal(found.error));
  const holder = found.value;
  if (holder === null) return ok(null);
  const { path, during } = holder;
  const details = { attempt: attempt.id, target: target.name, path };
  const id = shortId(attempt.id);
  const at = `git -C ${shellWord(path)}`;
  if (path.startsWith(context.paths.worktrees + sep))
    return refused("conflict", "attempt_busy", `Another attempt works on ${target.name}, at ${path}.`, {
      remedy: "`tazuna list` shows it. Clean it up or cancel it first, then ask again.",
      details,
    });
  if (during !== null)
    return refused(
      "needs_person",
      "target_checked_out",
      `A ${during} of ${target.name} goes on at ${path}.`,
      {
        remedy: `\`${at} status\` says how it ends; then ask again.`,
        details,
      },
    );
  if (here) return (await refuseUnclean(context, holder)).map(() => holder);
  const again = `\`tazuna merge ${id}${squash ? " --squash" : ""} --here\``;
  const byHand = squash ? "" : `, or \`${at} merge --no-ff ${shellWord(tipName)}\` by yourself`;
  return refused("needs_person", "target_checked_out", `${target.name} is checked out at ${path}.`, {
    remedy: `${again} merges it in that checkout, if it is clean${byHand}.`,
    details,
  });
}

/** Only what lies there as the branch has it may be replaced. Untracked files in the way are seen by git. */
export async function refuseUnclean(
  context: Uses<"git">,
  { path, gitDir }: Pick<BranchHolder, "path" | "gitDir">,
): Promise<Result<void, Refusal>> {
  return safeTry(async function* () {
    const target = { gitDir, workTree: path };
    const going = yield* (await operationInProgress(context.git, target)).mapErr(gitRefusal);
    const at = `git -C ${shellWord(path)}`;
    if (going !== null)
      return refused("conflict", "checkout_not_clean", `A ${going.name} is in progress at ${path}.`, {
        remedy: `Nothing was changed. \`${at} status\` says how it ends; then ask again.`,
        details: { path, files: [] },
      });
    const changed = yield* (await trackedChanges(context.git, target)).mapErr(gitRefusal);
    if (changed.length === 0) return ok(undefined);
    const message = `${path} holds changes of yours that are not committed: ${someOf(changed, 5)}.`;
    return refused("conflict", "checkout_not_clean", message, {
      remedy: `Nothing was changed. Commit them, or put them aside with \`${at} stash\`; then ask again.`,
      details: { path, files: changed },
    });
  });
}

type MoveError = { readonly kind: string; readonly message: string };

/** Call it under the repository's lock. The attempt is stored as merged together with the end of the operation. */
export async function moveTarget(
  context: GitContext,
  move: Move,
  holder: BranchHolder | null,
): Promise<Result<Merged, MoveError>> {
  const { landing, target, to, squash } = move;
  const { attempt, repository, tip } = landing;
  const place = repositoryTarget(repository);
  const ref = `refs/heads/${target.name}`;
  const by = await askedBy(context, place);
  const merged = (): Merged => ({
    at: context.clock.iso(),
    commit: to,
    tip,
    target: target.name,
    before: target.at,
    by: "tazuna",
  });
  return journaled(
    context,
    {
      kind: "merge_attempt",
      subject: { type: "attempt", id: attempt.id },
      before: {
        ref,
        branch: target.name,
        sha: target.at,
        to,
        tip,
        squash,
        checkout: holder && { path: holder.path, gitDir: holder.gitDir },
        by,
        reason: `merge of the attempt ${shortId(attempt.id)}`,
      },
      undoable: true,
    },
    async (): Promise<Result<Merged, MoveError>> => {
      const reason = `tazuna: merge of ${attempt.branch}`;
      const moved =
        holder === null
          ? await updateRef(context.git, place, { ref, from: target.at, to, reason })
          : await fastForward(context.git, checkoutTarget(holder), to);
      if (moved.isErr() && holder !== null && mayBeHalfDone(moved.error)) {
        await settleFastForward(context, holder, { branch: target.name, from: target.at, to });
        const now = await readRef(context.git, place, `${ref}^{commit}`);
        if (now.isOk() && now.value === to) return ok(merged());
      }
      return moved.map(merged);
    },
    () => ({ ref, branch: target.name, sha: to }),
    (trx, done) => noteMerged(trx, attempt, { at: done.at, merged: done }),
  );
}

/** Git refuses before it writes anything. */
function mayBeHalfDone({ kind }: MoveError): boolean {
  return kind !== "not_possible" && kind !== "local_changes";
}

function checkoutTarget({ gitDir, path }: BranchHolder): GitTarget {
  return { gitDir, workTree: path };
}

/** The refusal for a move that git did not make; nothing was changed. */
export function notMoved(
  { landing, target }: Move,
  holder: BranchHolder | null,
  { kind, message }: MoveError,
): Refusal {
  const details = { attempt: landing.attempt.id, target: target.name };
  if (kind === "ref_moved" || kind === "not_possible")
    return refuse("conflict", "target_moved", `Somebody else moves ${target.name} right now: ${message}.`, {
      remedy: `Nothing was changed. \`tazuna merge ${shortId(landing.attempt.id)}\` tries again.`,
      details,
    });
  if (kind === "local_changes")
    return refuse("conflict", "checkout_not_clean", `Files of yours are in the way: ${message}.`, {
      remedy: `Nothing was changed. Move them away from ${holder?.path}, then ask again.`,
      details: { ...details, path: holder?.path ?? null },
    });
  return refuse("failed", "merge_failed", `${target.name} could not be moved: ${message}.`, {
    remedy: "Nothing was changed. Mend the cause, then ask again; `tazuna doctor` may know it.",
    details,
  });
}
