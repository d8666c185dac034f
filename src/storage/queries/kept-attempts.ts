/** Reads the attempts that are not put away, with what a list of storage needs of them. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { attempts, type Reader, runs as runTable } from "../schema/schema.ts";

export interface StoredAttempt {
  readonly attempt: Attempt;
  readonly title: string;
  readonly repository: { readonly id: string; readonly name: string };
  /** In the order in which they work. */
  readonly runs: readonly Run[];
}

/**
 * The oldest first; after the attempt with the id `after`, or from the beginning. With a worker, those that others hold
 * are left out.
 */
export async function keptAttempts(
  db: Reader,
  page: { readonly after: string | null; readonly limit: number; readonly worker?: string | null },
): Promise<readonly StoredAttempt[]> {
  const { after, worker = null } = page;
  const rows = await db
    .selectFrom("attempts")
    .innerJoin("tasks", "tasks.id", "attempts.taskId")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .selectAll("attempts")
    .select(["tasks.title", "repositories.id as repositoryId", "repositories.name"])
    .where("attempts.state", "!=", "removed")
    .$if(worker !== null, (select) =>
      select.where((eb) => eb.or([eb("workerId", "is", null), eb("workerId", "=", worker)])),
    )
    .$if(after !== null, (select) =>
      select.where((eb) =>
        eb(
          eb.refTuple("attempts.createdAt", "attempts.id"),
          ">",
          eb.parens(
            eb
              .selectFrom("attempts as before")
              .select(["before.createdAt", "before.id"])
              .where("before.id", "=", after ?? "")
              .$asTuple("createdAt", "id"),
          ),
        ),
      ),
    )
    .orderBy("attempts.createdAt")
    .orderBy("attempts.id")
    .limit(page.limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const runRows =
    ids.length === 0
      ? []
      : await db.selectFrom("runs").selectAll().where("attemptId", "in", ids).orderBy("queuePlace").execute();
  const byAttempt = Map.groupBy(runRows.map(runTable.read), ({ attemptId }) => attemptId);
  return rows.map(({ title, repositoryId, name, ...row }) => ({
    attempt: attempts.read(row),
    title,
    repository: { id: repositoryId, name },
    runs: byAttempt.get(row.id) ?? [],
  }));
}
