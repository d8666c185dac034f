/** Finds the attempts of a worker of which the depot lacks something. */
import { sql } from "kysely";
import { databaseTime } from "../schema/database-time.ts";
import type { Reader } from "../schema/schema.ts";

/** Open attempts whose files a worker holds, and whose last edits are not in the depot. */
export async function unprotectedOf(db: Reader, worker: string): Promise<readonly string[]> {
  const rows = await unprotected(db, worker).execute();
  return rows.map(({ attemptId }) => attemptId);
}

interface UncopiedAttempt {
  readonly attemptId: string;
  /** The newest snapshot of an attempt that ended, which the depot lacks; null of an open attempt. */
  readonly commit: string | null;
}

/**
 * Those, and attempts that ended within that time, so far as their repositories have a place in the depot. Whatever was
 * cut off before a copy was stored is found here again.
 */
export async function uncopiedOf(
  db: Reader,
  { worker, withinMs }: { readonly worker: string; readonly withinMs: number },
): Promise<readonly UncopiedAttempt[]> {
  return unprotected(db, worker)
    .select(sql<string | null>`null`.as("commit"))
    .unionAll(lackingSnapshots(db, worker, withinMs))
    .execute();
}

function unprotected(db: Reader, worker: string) {
  return db
    .selectFrom("attempts")
    .innerJoin("protections", "protections.attemptId", "attempts.id")
    .select("attempts.id as attemptId")
    .where("attempts.state", "=", "open")
    .where("attempts.workerId", "=", worker)
    .where("protections.unprotectedSince", "is not", null);
}

function lackingSnapshots(db: Reader, worker: string, withinMs: number) {
  return db
    .selectFrom(endedWithin(db, worker, withinMs).as("ended"))
    .select(["ended.attemptId", "ended.commit"])
    .where("ended.commit", "is not", null)
    .where(({ eb, or, ref }) =>
      or([eb("ended.copied", "is", null), eb("ended.copied", "!=", ref("ended.commit"))]),
    );
}

/** With the commit of the newest snapshot, and that of the newest copy; null if there is none. None without a depot. */
function endedWithin(db: Reader, worker: string, withinMs: number) {
  return db
    .selectFrom("attempts")
    .innerJoin("repositories", "repositories.id", "attempts.repositoryId")
    .select("attempts.id as attemptId")
    .select(({ selectFrom }) => [
      // Not as joins: a planner that knows too little would read whole tables.
      selectFrom("snapshots")
        .select("snapshots.commitSha")
        .whereRef("snapshots.attemptId", "=", "attempts.id")
        .where("snapshots.droppedAt", "is", null)
        .orderBy("snapshots.number", "desc")
        .limit(1)
        .as("commit"),
      selectFrom("protections")
        .select("protections.sha")
        .whereRef("protections.attemptId", "=", "attempts.id")
        .as("copied"),
    ])
    .where("attempts.workerId", "=", worker)
    .where("attempts.endedAt", ">", ({ selectFrom }) =>
      selectFrom("depot").select(databaseTime(db, -withinMs).as("since")).where("depot.id", "=", "depot"),
    )
    .where("attempts.state", "!=", "open")
    .where("repositories.address", "is not", null);
}
