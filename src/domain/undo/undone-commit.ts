/** Tells by the notes of a run whether a person undid its commit. */
import type { RunNote } from "../run/run.ts";

/** The codes of the notes that an undo, and the undo of that undo, write. */
export const COMMIT_UNDONE = "commit_undone";
export const COMMIT_PUT_BACK = "commit_put_back";

export function isCommitUndone(notes: readonly Pick<RunNote, "code">[]): boolean {
  const last = notes.findLast(({ code }) => code === COMMIT_UNDONE || code === COMMIT_PUT_BACK);
  return last?.code === COMMIT_UNDONE;
}
