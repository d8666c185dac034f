/** Stores the worktrees that lost workers still had when they came back. */
import type { LeftWorktree } from "../../domain/worker/left-worktree.ts";
import { databaseTime } from "../schema/database-time.ts";
import { leftWorktrees, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Does nothing if it is known. */
export async function insertLeft(trx: WriteTransaction, left: LeftWorktree): Promise<void> {
  await trx
    .insertInto("leftWorktrees")
    .values(leftWorktrees.write(left))
    .onConflict((conflict) => conflict.columns(["attemptId", "workerId"]).doNothing())
    .execute();
}

type Named = Pick<LeftWorktree, "attemptId" | "workerId">;

/** The depot has it. A person may have discarded it meanwhile. */
export async function offerKept(trx: WriteTransaction, { attemptId, workerId }: Named): Promise<void> {
  await trx
    .updateTable("leftWorktrees")
    .set({ state: "offered" })
    .where("attemptId", "=", attemptId)
    .where("workerId", "=", workerId)
    .where("state", "=", "kept")
    .execute();
}

/** What a person did with the offer. */
export async function endOffer(
  trx: WriteTransaction,
  { attemptId, workerId }: Named,
  state: "restored" | "discarded",
): Promise<void> {
  await trx
    .updateTable("leftWorktrees")
    .set({ state, endedAt: databaseTime(trx) })
    .where("attemptId", "=", attemptId)
    .where("workerId", "=", workerId)
    .execute();
}

/** With the name of its worker, as long as that is known. */
type NamedLeft = LeftWorktree & { readonly name: string | null };

export async function leftOfWorker(db: Reader, worker: string): Promise<readonly NamedLeft[]> {
  const rows = await withNames(db).where("leftWorktrees.workerId", "=", worker).execute();
  return rows.map(readNamed);
}

/** The oldest first. */
export async function leftOfAttempts(db: Reader, attempts: readonly string[]): Promise<readonly NamedLeft[]> {
  if (attempts.length === 0) return [];
  const rows = await withNames(db)
    .where("leftWorktrees.attemptId", "in", attempts)
    .orderBy("leftWorktrees.takenAt")
    .orderBy("leftWorktrees.workerId")
    .execute();
  return rows.map(readNamed);
}

function withNames(db: Reader) {
  return db
    .selectFrom("leftWorktrees")
    .leftJoin("workers", "workers.id", "leftWorktrees.workerId")
    .selectAll("leftWorktrees")
    .select("workers.name");
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof withNames>["execute"]>>[number];

function readNamed({ name, ...row }: NamedRow): NamedLeft {
  return { ...leftWorktrees.read(row), name };
}

/** Those of these attempts whose offers ended so long ago. */
export async function endedLeft(
  db: Reader,
  { attempts, forMs }: { readonly attempts: readonly string[]; readonly forMs: number },
): Promise<readonly LeftWorktree[]> {
  if (attempts.length === 0) return [];
  const rows = await db
    .selectFrom("leftWorktrees")
    .selectAll()
    .where("attemptId", "in", attempts)
    .where("endedAt", "<", databaseTime(db, -forMs))
    .execute();
  return rows.map(leftWorktrees.read);
}

/** The worktrees of attempts that a worker holds, and those that others hold. */
export async function worktreesByHolder(
  db: Reader,
  holder: { readonly is: string } | { readonly isNot: string },
): Promise<readonly { readonly id: string; readonly worktree: string }[]> {
  const select = db.selectFrom("attempts").select(["id", "worktree"]);
  const found =
    "is" in holder ? select.where("workerId", "=", holder.is) : select.where("workerId", "!=", holder.isNot);
  return found.execute();
}
