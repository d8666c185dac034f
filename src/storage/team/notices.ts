/**
 * Lets one worker at a time tell a webhook of a fact. Each is one statement outside the queue of writers, since it tells
 * no fact.
 */
import type { Notice } from "../../domain/notification/notice.ts";
import { databaseTime } from "../schema/database-time.ts";
import type { Database } from "../schema/opened-database.ts";

type Told = Pick<Notice, "hook" | "seq">;

/** `mine`: the caller tells it now. `over`: it is told, or given up. Else how long another worker may tell it. */
type Turn = "mine" | "over" | { readonly leftMs: number };

/** What a worker has claimed it may claim again, as after a restart. */
export async function claimNotice(
  { writes }: Database,
  { hook, seq, worker, forMs }: Told & { readonly worker: string; readonly forMs: number },
): Promise<Turn> {
  const db = writes.aside;
  const claim = { workerId: worker, until: databaseTime(db, forMs) };
  const claimed = await db
    .insertInto("notices")
    .values({ hook, seq, ...claim, overAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(["hook", "seq"])
        .doUpdateSet(claim)
        .where("notices.overAt", "is", null)
        .where((eb) =>
          eb.or([eb("notices.workerId", "=", worker), eb("notices.until", "<=", databaseTime(db))]),
        ),
    )
    .returning("seq")
    .executeTakeFirst();
  if (claimed !== undefined) return "mine";
  const other = await db
    .selectFrom("notices")
    .select(["until", "overAt", databaseTime(db).as("now")])
    .where("hook", "=", hook)
    .where("seq", "=", seq)
    .executeTakeFirst();
  if (other === undefined) return { leftMs: 0 };
  return other.overAt === null
    ? { leftMs: Math.max(0, Date.parse(other.until) - Date.parse(other.now)) }
    : "over";
}

/** It is told, or given up: no worker tells it any more. */
export async function endNotice({ writes }: Database, { hook, seq }: Told): Promise<void> {
  await writes.aside
    .updateTable("notices")
    .set({ overAt: databaseTime(writes.aside) })
    .where("hook", "=", hook)
    .where("seq", "=", seq)
    .execute();
}

/** Deletes what is older than that. */
export async function forgetNotices({ writes }: Database, olderThanMs: number): Promise<void> {
  await writes.aside
    .deleteFrom("notices")
    .where("until", "<", databaseTime(writes.aside, -olderThanMs))
    .execute();
}
