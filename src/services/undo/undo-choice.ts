/** Takes a choice back, as long as no other one took its place: the decision that held before it holds again. */
import { err, ok, type Result } from "neverthrow";
import type { Decision } from "../../domain/decision/decision.ts";
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import type { Reader, WriteTransaction } from "../../storage/schema/schema.ts";
import { decisionsOfTasks, getDecision, takeDecisionBack } from "../../storage/tables/decisions.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { insertOperation, noteUndone } from "../../storage/tables/operations.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";

/** What is in the trash since the choice stays there. A repeated call answers with the same operation. */
export async function undoChoice(
  context: Uses<"db" | "clock" | "newId" | "owner" | "actor" | "newFacts">,
  choice: Operation,
): Promise<Result<Operation, Refusal>> {
  const undone = await transact(context.db, async (trx) => {
    const before = await undoneBy(trx, choice);
    if (before !== null) return ok(before);
    const held = await heldBy(trx, choice);
    if (held === null) return err(noLonger(choice));
    return ok(await store(context, trx, { choice, held }));
  });
  context.newFacts.notify();
  return undone;
}

/** Whether the decision that the choice made is the one that holds. */
export async function choiceHolds({ db }: Uses<"db">, choice: Operation): Promise<boolean> {
  return (await heldBy(db.reader, choice)) !== null;
}

async function heldBy(reader: Reader, { subject, after }: Operation): Promise<Decision | null> {
  const held = (await decisionsOfTasks(reader, [subject.id])).get(subject.id);
  return held !== undefined && held.id === after?.decision ? held : null;
}

async function undoneBy(reader: Reader, { id, subject }: Operation): Promise<Operation | null> {
  const all = await operationsOfKinds(reader, ["undo"], subject.id);
  return all.findLast(({ before, status }) => before?.of === id && status === "done") ?? null;
}

async function store(
  { clock, newId, owner: workerId, actor }: Uses<"clock" | "newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { choice, held }: { readonly choice: Operation; readonly held: Decision },
): Promise<Operation> {
  const at = clock.iso();
  const replaced = choice.before?.replaces;
  const earlier = typeof replaced === "string" ? await getDecision(trx, replaced) : null;
  await takeDecisionBack(trx, { id: held.id, earlier: earlier?.id ?? null, at });
  const undo: Operation = {
    id: newId(),
    kind: "undo",
    subject: choice.subject,
    before: { of: choice.id, kind: choice.kind, decision: held.id, attempt: held.attemptId },
    after: { decision: earlier?.id ?? null, attempt: earlier?.attemptId ?? null },
    status: "done",
    undoable: false,
    commands: null,
    actor,
    at,
    endedAt: at,
  };
  await insertOperation(trx, { ...undo, workerId });
  await noteUndone(trx, choice.id);
  const ids = { taskId: choice.subject.id, attemptId: earlier?.attemptId ?? null, runId: null };
  const data = { decision: earlier?.id ?? null, attempt: earlier?.attemptId ?? null, taken_back: held.id };
  await appendFact(trx, { at, kind: "task.decided", ...ids, data });
  return undo;
}

function noLonger({ subject, after }: Operation): Refusal {
  const task = shortId(subject.id);
  return refuse("conflict", "decision_changed", "Another decision took the place of this one.", {
    remedy: `\`tazuna activity ${task}\` lists the choices; the last one can be undone.`,
    details: { task: subject.id, decision: after?.decision ?? null },
  });
}
