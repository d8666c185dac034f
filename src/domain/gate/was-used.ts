/** Tells whether something has come of what a person allowed: then it is not taken back any more. */
import { isCommitUndone } from "../undo/undone-commit.ts";

interface Came {
  readonly commit: string | null;
  readonly outcome: string | null;
  readonly notes: readonly { readonly code: string }[];
}

/** Whether a commit holds the finding by now, or a push let the failed check through. `since`: the runs from then on. */
export function wasUsed(name: string, since: readonly Came[], isMerged: boolean): boolean {
  if (isMerged) return true;
  return since.some(({ commit, outcome, notes }) =>
    name.startsWith("check:") ? outcome === "pushed" : commit !== null && !isCommitUndone(notes),
  );
}
