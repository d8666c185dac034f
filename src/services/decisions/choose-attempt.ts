/** Records which attempt of a task was chosen and why; on request, cancels the others with it. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Decision } from "../../domain/decision/decision.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { attemptsOfTask } from "../../storage/tables/attempts.ts";
import { decisionsOfTasks, insertDecision } from "../../storage/tables/decisions.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { transact } from "../../storage/transact.ts";
import { refuseReopening } from "../attempts/reopen-attempt.ts";
import { wasCleaned } from "../branches/remove-branch.ts";
import type { TaskDetail } from "../core/answer-shapes.ts";
import type { CleanUpContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { askedBy } from "../core/journal.ts";
import { notFound, type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { Choose } from "../core/request-shapes.ts";
import { taskDetail } from "../queries/task-detail.ts";
import { type Canceled, carryOutCancel, saveCancel } from "../requests/save-cancel.ts";
import type { StopContext } from "../requests/stop-run.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { evidenceOf } from "./compare-task.ts";

type ChooseContext = StopContext & CleanUpContext & Uses<"diskFullRuns">;

/** The id of the new decision. The clean-ups of the others go on after the answer. */
export async function chooseAttempt(
  context: ChooseContext,
  input: Choose,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const [reason, tripwire] = [input.reason.trim(), input.tripwire?.trim() || null];
    if (reason === "") return err(REASON_MISSING);
    const place = await findPlace(context.db.reader, input.attempt);
    if (place === null) return err(notFound("attempt", input.attempt));
    const gone = await refuseCanceled(context, place.attempt);
    if (gone !== null) return err(gone);
    const task = yield* await taskDetail(context, place.task.id);
    const made = { ...(await draftOf(context, place, task)), reason, tripwire };
    const seen = place.attempt.state;
    const stored = await transact(context.db, (trx) => store(context, trx, { made, seen, input, key }));
    context.newFacts.notify();
    context.failpoint("request:choose");
    const { decision, canceled } = yield* stored;
    await carryOutCancel(context, canceled);
    return ok(decision.id);
  });
}

const REASON_MISSING = refuse("bad_request", "reason_missing", "The reason is empty.", {
  remedy: 'Say why this attempt: `--reason "..."` (`reason` of the API).',
});

/** A cancelled attempt is put away with its branch. One that was cleaned up is still known. */
async function refuseCanceled(
  context: WorktreeContext & Uses<"configuration" | "team" | "shell">,
  attempt: Attempt,
): Promise<Refusal | null> {
  if (attempt.state === "open") return null;
  const isCleaned = attempt.state === "removed" && (await wasCleaned(context, attempt));
  return isCleaned ? null : refuseReopening(context, attempt);
}

async function draftOf(
  context: ChooseContext,
  place: AttemptPlace,
  task: TaskDetail,
): Promise<Omit<Decision, "reason" | "tripwire">> {
  const { attempt, repository } = place;
  const { git } = await loadRepositoryGit(context, place);
  const evidence = await evidenceOf(context, task);
  const isChosen = ({ id }: { readonly id: string }) => id === attempt.id;
  return {
    id: context.newId(),
    taskId: attempt.taskId,
    attemptId: attempt.id,
    alternatives: [],
    by: await askedBy({ git, actor: context.actor }, repositoryTarget(repository)),
    issue: place.task.issue,
    evidence: [...evidence.filter(isChosen), ...evidence.filter((each) => !isChosen(each))],
    trashed: [],
    at: context.clock.iso(),
    replacedAt: null,
    takenBackAt: null,
  };
}

interface ToStore {
  readonly made: Decision;
  /** The state of the attempt when that was judged. */
  readonly seen: Attempt["state"];
  readonly input: Choose;
  readonly key: string | null;
}

/** The decision and the intentions to cancel are stored together: a crash leaves both or neither. */
async function store(
  context: ChooseContext,
  trx: WriteTransaction,
  { made, seen, input, key }: ToStore,
): Promise<Result<{ readonly decision: Decision; readonly canceled: readonly Canceled[] }, Refusal>> {
  const before = (await decisionsOfTasks(trx, [made.taskId])).get(made.taskId);
  if (input.replaces !== undefined && input.replaces !== (before?.id ?? null))
    return err(decisionChanged(made.taskId, before));
  const attempts = await attemptsOfTask(trx, made.taskId);
  const chosen = attempts.find(({ id }) => id === made.attemptId);
  if (chosen !== undefined && chosen.state !== "open" && chosen.state !== seen)
    return refused(...canceledMeanwhile(chosen));
  const others = attempts.filter(({ id }) => id !== made.attemptId);
  const wanted = input.trashOthers ? others.filter(({ state }) => state === "open") : [];
  const canceled: Canceled[] = [];
  for (const other of wanted) canceled.push(await saveCancel(context, trx, other));
  const [alternatives, trashed] = [others, wanted].map((some) => some.map(({ id }) => id));
  const decision = { ...made, alternatives: alternatives ?? [], trashed: trashed ?? [] };
  await insertDecision(trx, decision);
  await journalChoice(context, trx, { decision, before });
  if (key !== null) await recordCreated(trx, { key, id: decision.id });
  return ok({ decision, canceled });
}

async function journalChoice(
  context: Uses<"newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { decision, before }: { readonly decision: Decision; readonly before: Decision | undefined },
): Promise<void> {
  const { id, taskId, attemptId, reason, tripwire, by, trashed, at } = decision;
  await insertOperation(trx, {
    id: context.newId(),
    workerId: context.owner,
    actor: context.actor,
    kind: "choose",
    subject: { type: "task", id: taskId },
    before: { replaces: before?.id ?? null, by, reason },
    after: { decision: id, attempt: attemptId, tripwire, trashed },
    status: "done",
    undoable: true,
    at,
    endedAt: at,
  });
  const data = { decision: id, attempt: attemptId, trashed };
  await appendFact(trx, { at, kind: "task.decided", taskId, attemptId, runId: null, data });
}

function canceledMeanwhile({ id }: Attempt) {
  return [
    "conflict",
    "attempt_canceled",
    `The attempt ${shortId(id)} was cancelled meanwhile.`,
    {
      remedy: `Once \`tazuna list --all\` shows it as removed, \`tazuna trash restore ${shortId(id)}\` brings it back.`,
      details: { attempt: id },
    },
  ] as const;
}

function decisionChanged(task: string, now: Decision | undefined): Refusal {
  const message =
    now === undefined
      ? "The decision that this one was to replace is not there."
      : `Somebody chose ${shortId(now.attemptId)} meanwhile: ${now.reason}`;
  return refuse("conflict", "decision_changed", message, {
    remedy: `\`tazuna compare ${shortId(task)}\` shows it; then choose again if you still want to.`,
    details: { task, decision: now?.id ?? null, attempt: now?.attemptId ?? null },
  });
}
