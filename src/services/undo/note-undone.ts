/** Records what an undo means for its operation and its run, and finds one that a kill left unrecorded. */
import type { Operation } from "../../domain/operation.ts";
import { COMMIT_PUT_BACK, COMMIT_UNDONE } from "../../domain/undo/undone-commit.ts";
import { readRef } from "../../git/refs/refs.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { noteUndone } from "../../storage/tables/operations.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { mergeOf, noteMerged } from "../attempts/note-merged.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { note } from "../run-core/step.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** In the transaction that records the undo as done. */
export async function noteUndo(
  trx: WriteTransaction,
  undo: Pick<Operation, "subject" | "before">,
): Promise<void> {
  const { subject, before } = undo;
  await noteUndone(trx, String(before?.of));
  if (subject.type === "attempt") return noteMergeUndone(trx, { subject, before });
  const run = subject.type === "run" ? await getRun(trx, subject.id) : null;
  const attempt = run && (await getAttempt(trx, run.attemptId));
  if (!run || !attempt || run.commit === null || before?.ref !== `refs/heads/${attempt.branch}`) return;
  const { commit } = run;
  if (before.sha !== commit && before.to !== commit) return;
  const note = before.sha === commit ? undoneNote(commit) : putBackNote(commit);
  // A later run may have checked that commit again, and made none of its own.
  for (const each of await runsOfAttempt(trx, attempt.id))
    if (each.commit === commit)
      await updateRun(trx, { id: each.id, expect: { epoch: null }, set: { notes: [...each.notes, note] } });
}

/** Its merge was undone, or that undo was undone in turn: the journal still has what the merge was. */
async function noteMergeUndone(
  trx: WriteTransaction,
  { subject, before }: Pick<Operation, "subject" | "before">,
): Promise<void> {
  const attempt = await getAttempt(trx, subject.id);
  const merges = await operationsOfKinds(trx, ["merge_attempt"], subject.id);
  const merge = merges.findLast(({ after }) => after?.sha === before?.sha || after?.sha === before?.to);
  if (attempt === null || merge === undefined || merge.before?.ref !== before?.ref) return;
  const at = merge.endedAt ?? merge.at;
  const isUndone = merge.after?.sha === before?.sha;
  await noteMerged(trx, attempt, { at, merged: isUndone ? null : mergeOf(merge, at) });
}

function undoneNote(commit: string) {
  const message = `The commit ${commit.slice(0, 8)} was undone; its files are in the worktree, not committed.`;
  return note(COMMIT_UNDONE, message, { commit });
}

function putBackNote(commit: string) {
  return note(COMMIT_PUT_BACK, `The commit ${commit.slice(0, 8)} is on the branch again.`, { commit });
}

/** The undo's result, if the reference is at its target. Null if it was not moved. Throws if git cannot say. */
export async function undoneBefore(
  context: Uses<"db" | "git">,
  { subject, before }: Operation,
): Promise<Operation["after"]> {
  const { reader } = context.db;
  const run = subject.type === "run" ? await getRun(reader, subject.id) : null;
  const place = await findPlace(reader, run?.attemptId ?? subject.id);
  const { ref, to } = before ?? {};
  if (place === null || typeof ref !== "string") return null;
  const current = await readRef(context.git, repositoryTarget(place.repository), ref);
  if (current.isErr()) throw new Error(current.error.message);
  return current.value === to ? { ref, sha: current.value } : null;
}
