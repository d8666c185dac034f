/** Explains why something in the trash cannot go back to where it was. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { fromSnapshot } from "../trash/from-snapshot.ts";
import type { TrashedAttempt, TrashPlace } from "../trash/trash-entries.ts";

interface Facts extends TrashedAttempt {
  readonly place: TrashPlace;
  /** It was brought back once, and the attempt was cancelled again since. */
  readonly isBack: boolean;
  /** A restore of it was interrupted: that restore made what lies at the worktree's place. */
  readonly begun: boolean;
}

/** Null if it may go back. */
export async function refuseRestore(context: Uses<"git">, facts: Facts): Promise<Refusal | null> {
  const { attempt, entry, place, begun, isBack } = facts;
  const details = { entry: entry.id, attempt: attempt.id, path: attempt.worktree };
  if (attempt.state === "open")
    return refuse(
      "conflict",
      "attempt_open",
      `The attempt ${attempt.id.slice(0, 8)} is not cancelled; its worktree is in use.`,
      {
        remedy: `Take what you need from ${entry.path}. Or \`tazuna cancel ${shortId(attempt.id)}\` puts away what is there now; then ask again.`,
        details: { ...details, trash: entry.path },
      },
    );
  if (attempt.state === "canceled")
    return refuse(
      "conflict",
      "not_cleaned_up",
      `The attempt ${attempt.id.slice(0, 8)} is still being put into the trash.`,
      {
        remedy: `\`tazuna cancel ${shortId(attempt.id)}\` goes on with that at once; then ask again.`,
        details,
      },
    );
  if (isBack || (place === "gone" && !begun))
    return refuse("not_found", "not_in_trash", "It is not in the trash any more.", {
      remedy: await fromSnapshot(context, facts),
      details,
    });
  if (place === "replaced")
    return refuse("conflict", "entry_replaced", `${entry.path} is not the folder that was put there.`, {
      remedy: `Move away what lies there. ${await fromSnapshot(context, facts)}`,
      details,
    });
  const taken = !begun && (await isThere(attempt.worktree));
  return taken ? pathTaken(attempt, attempt.worktree) : null;
}

/** The refusal after a restore failed. A repeated request does the rest. */
export function restoreFailed(
  error: { readonly kind: string; readonly message: string; readonly path?: string | null },
  { attempt, entry }: Omit<TrashedAttempt, "repository">,
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
        remedy: `\`git -C ${shellWord(error.path ?? ".")} switch --detach\` leaves the branch there; then restore again.`,
        details,
      },
    );
  return refuse("failed", "restore_failed", `It could not be brought back: ${message}`, {
    remedy: "Nothing is lost. Mend the cause, then restore again: it goes on where it stopped.",
    details,
  });
}

function pathTaken(attempt: Attempt, path: string): Refusal {
  return refuse("conflict", "path_taken", `Something lies at ${path}, where the worktree was.`, {
    remedy: `Move it away, such as with \`mv ${shellWord(path)} ${shellWord(`${path}.aside`)}\`; then restore again.`,
    details: { attempt: attempt.id, path },
  });
}
