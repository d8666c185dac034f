/** Gives a run that has not begun to another worker, with its attempt (ADR 0095). */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { attempts, runs, type WriteTransaction } from "../schema/schema.ts";

interface MovedRun {
  readonly worker: string;
  /** The clone in which it works from now on. */
  readonly repositoryId: string;
  readonly attempt: Pick<Attempt, "id" | "executor" | "model" | "branch" | "worktree">;
  readonly run: Pick<Run, "id" | "options" | "notes">;
}

/** From then on no earlier owner may write it. The caller proves in the same transaction that it has not begun. */
export async function giveRun(trx: WriteTransaction, moved: MovedRun): Promise<void> {
  const { attempt, run, repositoryId, worker } = moved;
  await trx
    .updateTable("attempts")
    .set({ ...attempts.write(attempt), repositoryId })
    .where("id", "=", attempt.id)
    .execute();
  await trx
    .updateTable("runs")
    .set((eb) => ({
      ...runs.write(run),
      workerId: worker,
      leaseOwner: null,
      leaseUntil: null,
      leaseEpoch: eb("leaseEpoch", "+", 1),
    }))
    .where("id", "=", run.id)
    .execute();
}
