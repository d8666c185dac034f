/** Publishes an attempt at a person's request: what is committed, or what the gate kept back and they allow. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Operation } from "../../domain/operation.ts";
import type { Allowance } from "../../domain/publish/allowance.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { RequestContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { notEnded, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { Publish } from "../core/request-shapes.ts";
import { addRun, openAttempt } from "./add-run.ts";
import { allowanceFor } from "./allowance-for.ts";
import { mayTakeAnotherName } from "./another-branch.ts";
import { refuseHeldBack } from "./held-back.ts";
import { leftOutFor } from "./left-out-for.ts";
import { settingsOption } from "./store-runs.ts";

/** The id of the new run. */
export async function publishAttempt(
  context: WorktreeContext & RequestContext,
  input: Publish,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const attempt = yield* await openAttempt(context, input.attempt);
    const runs = workOf(await runsOfAttempt(context.db.reader, attempt.id));
    const last = yield* lastEnded(runs);
    const allowance = yield* await allowanceFor(context, input, { attempt, runs, last });
    const kind = failedBeforeCommit(last) ? "commit" : "publish";
    const refused = kind === "publish" ? refusePush(attempt, { runs, allowance }) : null;
    if (refused !== null) return err(refused);
    if (input.anotherBranch) yield* await mayTakeAnotherName(context, { attempt, kind });
    const leaveOut = yield* await leftOutFor(context, input.leaveOut, { attempt, last });
    return addRun(context, attempt, {
      kind,
      instruction: last.instruction,
      options: {
        retryOf: originalRunId(last),
        ...(allowance === null ? {} : { allowance }),
        ...(leaveOut.length === 0 ? {} : { leaveOut }),
        ...(input.anotherBranch ? { anotherBranch: true } : {}),
        ...settingsOption({ ...last.options.settings, ...input.settings, publish: "push" }),
      },
      offline: last.offline,
      releasesHeld: false,
      key,
      refuses: async (trx) => {
        const now = workOf(await runsOfAttempt(trx, attempt.id));
        const ended = lastEnded(now);
        if (ended.isErr()) return ended.error;
        return kind === "publish" ? refusePush(attempt, { runs: now, allowance }) : null;
      },
      also: async (trx, { id: run }) => {
        const files = [...leaveOut];
        if (files.length > 0)
          await noteAct(context, trx, { of: last, kind: "leave_out", before: { files }, after: null });
        if (allowance !== null)
          await noteAct(context, trx, { of: last, kind: "allow", before: { ...allowance }, after: { run } });
      },
    });
  });
}

/** In the transaction that adds the run, so that a crash leaves both or neither. */
async function noteAct(
  { clock, newId, owner: workerId, actor }: Uses<"clock" | "newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { of, kind, before, after }: Pick<Operation, "kind" | "before" | "after"> & { readonly of: Run },
): Promise<void> {
  const [id, at] = [newId(), clock.iso()];
  const subject = { type: "run", id: of.id } as const;
  const ended = { status: "done", undoable: false, at, endedAt: at } as const;
  await insertOperation(trx, { id, workerId, actor, kind, subject, before, after, ...ended });
  const data = { operation: id, kind, status: "done" };
  await appendFact(trx, { at, kind: "operation.done", taskId: null, attemptId: null, runId: of.id, data });
}

function lastEnded(runs: readonly Run[]): Result<Run, Refusal> {
  const going = runs.find((run) => !isEnded(run.status) && !run.held);
  const last = runs.findLast((run) => isEnded(run.status));
  if (going === undefined && last !== undefined) return ok(last);
  return err(notEnded((going ?? runs[0])?.id ?? ""));
}

/** Whether the run's work is still in the worktree, because the gate or a hook refused the commit. */
function failedBeforeCommit({ kind, status, commit, failure }: Run): boolean {
  const code = failure?.code;
  if (kind === "publish") return false;
  return status === "FAILED" && commit === null && (code === "gate_rejected" || code === "hook_failed");
}

/** The id of the run in which the agent worked. Later tries to publish its work name it too. */
function originalRunId({ id, kind, options }: Run): string {
  return kind === "agent" ? id : (options.retryOf ?? id);
}

function refusePush(
  { id }: Attempt,
  { runs, allowance }: { readonly runs: readonly Run[]; readonly allowance: Allowance | null },
): Refusal | null {
  if (runs.some((run) => run.commit !== null)) return refuseHeldBack(runs, allowance?.checks);
  return refuse("conflict", "nothing_to_push", "The attempt has no commit to publish.", {
    remedy: `Let the agent work first: \`tazuna continue ${shortId(id)} "Go on"\`. Or commit your own edits with \`tazuna continue ${shortId(id)}\`.`,
  });
}
