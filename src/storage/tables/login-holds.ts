/** Stores which agent logins a rate limit holds back: one breaker per login, which holds queued runs. */
import { z } from "zod";
import { rowReader, timeColumn, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

export interface LoginHold {
  /** The executor's name of the login; runs with the same name share its limits. */
  readonly login: string;
  /** UTC ISO. */
  readonly resumeAt: string;
  readonly reason: string;
  /** The time of its last change. */
  readonly createdAt: string;
}

/** Holds the login; the longer of two holds stays. */
export async function holdLogin(trx: WriteTransaction, hold: LoginHold): Promise<void> {
  const set = {
    resume_at: toTime(hold.resumeAt),
    reason: hold.reason,
    created_at: toTime(hold.createdAt),
  };
  await trx
    .insertInto("login_holds")
    .values({ login: hold.login, ...set })
    .onConflict((conflict) =>
      conflict.column("login").doUpdateSet(set).where("login_holds.resume_at", "<", set.resume_at),
    )
    .execute();
}

/** Every hold, even past ones; the one that ends first comes first. */
export async function loginHolds(db: Reader): Promise<LoginHold[]> {
  const rows = await db.selectFrom("login_holds").selectAll().orderBy("resume_at").execute();
  return rows.map(toHold);
}

const toHold = rowReader<LoginHold>({
  table: "login_holds",
  id: (row) => String(row.login),
  schema: z
    .object({
      login: z.string(),
      resume_at: timeColumn,
      reason: z.string(),
      created_at: timeColumn,
    })
    .transform((row) => ({
      login: row.login,
      resumeAt: row.resume_at,
      reason: row.reason,
      createdAt: row.created_at,
    })),
});
