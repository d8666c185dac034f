/** Records what an undo means: for the operation that it undid, and for the run whose commit that was. */
import type { Operation } from "../../domain/operation.ts";
import { COMMIT_PUT_BACK, COMMIT_UNDONE } from "../../domain/undo/undone-commit.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { noteUndone } from "../../storage/tables/operations.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { note } from "../run-core/step.ts";

/** In the transaction that records the undo as done. */
export async function noteUndo(
  trx: WriteTransaction,
  undo: Pick<Operation, "subject" | "before">,
): Promise<void> {
  const { subject, before } = undo;
  await noteUndone(trx, String(before?.of));
  const run = subject.type === "run" ? await getRun(trx, subject.id) : null;
  const attempt = run && (await getAttempt(trx, run.attemptId));
  if (!run || !attempt || run.commit === null || before?.ref !== `refs/heads/${attempt.branch}`) return;
  if (before.sha !== run.commit && before.to !== run.commit) return;
  const note = before.sha === run.commit ? undoneNote(run.commit) : putBackNote(run.commit);
  await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { notes: [...run.notes, note] } });
}

function undoneNote(commit: string) {
  const message = `The commit ${commit.slice(0, 8)} was undone; its files are in the worktree, not committed.`;
  return note(COMMIT_UNDONE, message, { commit });
}

function putBackNote(commit: string) {
  return note(COMMIT_PUT_BACK, `The commit ${commit.slice(0, 8)} is on the branch again.`, { commit });
}
