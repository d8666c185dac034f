/** Says why something in the trash cannot go back to where it was. */
import { lstat } from "node:fs/promises";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import type { TrashedWorktree, TrashPlace } from "./trash-entries.ts";

interface Facts {
  readonly attempt: Attempt;
  readonly entry: TrashedWorktree;
  readonly place: TrashPlace;
  /** It was brought back once; the attempt was cancelled again since. */
  readonly isBack: boolean;
  /** A restore of it was begun and cut off: what lies at the worktree's place is its doing. */
  readonly begun: boolean;
}

/** Null where nothing speaks against it. */
export async function refuseRestore(facts: Facts): Promise<Refusal | null> {
  const { attempt, entry, place, begun, isBack } = facts;
  const details = { entry: entry.id, attempt: attempt.id, path: attempt.worktree };
  if (attempt.state === "open")
    return refuse(
      "conflict",
      "attempt_open",
      `The attempt ${attempt.id.slice(0, 8)} is not cancelled; its worktree is in use.`,
      {
        remedy: "Cancel it first, or take what you need from the folder in the trash.",
        details: { ...details, trash: entry.path },
      },
    );
  if (attempt.state === "canceled")
    return refuse(
      "conflict",
      "not_cleaned_up",
      `The attempt ${attempt.id.slice(0, 8)} is still being put into the trash.`,
      {
        remedy: "Try again in a moment.",
        details,
      },
    );
  if (isBack || (place === "gone" && !begun))
    return refuse("not_found", "not_in_trash", "It is not in the trash any more.", {
      remedy: snapshotRemedy(entry),
      details,
    });
  if (place === "replaced")
    return refuse("conflict", "entry_replaced", `${entry.path} is not the folder that was put there.`, {
      remedy: `Look at what it is. ${snapshotRemedy(entry)}`,
      details,
    });
  const taken = !begun && (await lstat(attempt.worktree).catch(() => null)) !== null;
  return taken ? pathTaken(attempt, attempt.worktree) : null;
}

/** The refusal of a restore that could not be carried out; what was done of it is done when it is asked for again. */
export function restoreFailed(
  error: { readonly kind: string; readonly message: string; readonly path?: string | null },
  { attempt, entry }: { readonly attempt: Attempt; readonly entry: TrashedWorktree },
): Refusal {
  const { kind, message } = error;
  if (kind === "path_taken") return pathTaken(attempt, error.path ?? attempt.worktree);
  const details = { entry: entry.id, attempt: attempt.id, kind };
  if (kind === "branch_checked_out")
    return refuse(
      "conflict",
      kind,
      `The branch ${attempt.branch} is checked out at ${error.path ?? "another place"}.`,
      {
        remedy: "Switch that place to another branch, then restore again.",
        details,
      },
    );
  return refuse("failed", "restore_failed", `It could not be brought back: ${message}`, {
    remedy: "Nothing is lost. See to the cause, then restore again: it goes on where it stopped.",
    details,
  });
}

function pathTaken(attempt: Attempt, path: string): Refusal {
  return refuse("conflict", "path_taken", `Something lies at ${path}, where the worktree was.`, {
    remedy: "Move it away, then restore again.",
    details: { attempt: attempt.id, path },
  });
}

function snapshotRemedy({ id, snapshot }: TrashedWorktree): string {
  return snapshot === null
    ? "`tazuna trash list` shows what is there."
    : `Its files are in the snapshot ${snapshot}; ignored ones, as far as they were kept, in \`ignored/${id}\` of the data folder.`;
}
