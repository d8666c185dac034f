/** Reads what one engine looks at in its queue, in one statement however long the queue is. */
import type { ExpressionBuilder } from "kysely";
import type { Run } from "../../domain/run/run.ts";
import { databaseTime } from "../schema/database-time.ts";
import { queuedRuns, type Reader, type Schema } from "../schema/schema.ts";
import { isKnown, UNFINISHED } from "../tables/run-lease.ts";

/** A run that has not ended, with what the queue has to know of its attempt. */
export interface InQueue {
  readonly run: Pick<
    Run,
    | "id"
    | "attemptId"
    | "kind"
    | "status"
    | "phase"
    | "held"
    | "options"
    | "stopRequest"
    | "agentStartedAt"
    | "resumeAt"
    | "lease"
  >;
  /** The worker that drives it, and the one that holds its files. Null for nobody. */
  readonly drives: string | null;
  readonly holds: string | null;
  /** It needs a newer program than this one. */
  readonly isNewer: boolean;
  /** How long another owner holds it, in milliseconds of the database's clock; null if none does. */
  readonly elsewhereForMs: number | null;
  readonly attempt: {
    readonly agent: string;
    readonly executor: string;
    readonly model: string | null;
    readonly hasWorktree: boolean;
    readonly repositoryId: string;
  };
  /** The labels that its worker has to have. */
  readonly onLabels: readonly string[];
}

/**
 * In queue order. `worker`: only its runs, and those of nobody; those that are to be canceled, which may end anywhere; and
 * whatever works on an attempt of these. Null for all runs.
 */
export async function queueOfWorker(
  db: Reader,
  { owner, worker }: { readonly owner: string; readonly worker: string | null },
): Promise<readonly InQueue[]> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("attempts", "attempts.id", "runs.attemptId")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .select([
      "runs.id",
      "runs.attemptId",
      "runs.kind",
      "runs.status",
      "runs.phase",
      "runs.held",
      "runs.options",
      "runs.stopRequest",
      "runs.agentStartedAt",
      "runs.resumeAt",
      "runs.leaseOwner",
      "runs.leaseEpoch",
      "runs.leaseUntil",
      "runs.workerId as drives",
      "attempts.workerId as holds",
      "attempts.agent",
      "attempts.executor",
      "attempts.model",
      "attempts.gitDir",
      "attempts.repositoryId",
      "tasks.onLabels",
      isKnown.as("isKnown"),
      databaseTime(db).as("now"),
    ])
    .where("runs.status", "in", UNFINISHED)
    .$if(worker !== null, (select) => select.where(concerns(worker ?? "")))
    .orderBy("runs.queuePlace")
    .execute();
  return rows.map((row) => {
    const { drives, holds, agent, executor, model, gitDir, repositoryId, now } = row;
    const run = queuedRuns.read(row);
    const isOthers = run.lease !== null && run.lease.owner !== owner;
    const leftMs = isOthers ? Date.parse(run.lease?.until ?? now) - Date.parse(now) : 0;
    return {
      ...{ run, drives, holds },
      isNewer: !row.isKnown,
      elsewhereForMs: leftMs > 0 ? leftMs : null,
      attempt: { agent, executor, model, hasWorktree: gitDir !== null, repositoryId },
      onLabels: JSON.parse(row.onLabels),
    };
  });
}

/** The condition of `worker`. */
function concerns(worker: string) {
  return (eb: ExpressionBuilder<Schema, "runs">) =>
    eb.or([
      eb("runs.workerId", "=", worker),
      eb("runs.workerId", "is", null),
      eb("runs.stopRequest", "=", "cancel"),
      eb("runs.attemptId", "in", (sub) =>
        sub
          .selectFrom("runs as own")
          .select("own.attemptId")
          .where("own.workerId", "=", worker)
          .where("own.status", "in", UNFINISHED),
      ),
    ]);
}
