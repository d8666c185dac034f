/** Stores which agent logins a rate limit holds back: one breaker per login, which holds queued runs. */
import type { LoginHold } from "../../domain/run/login-hold.ts";
import { type Reader, loginHolds as table, type WriteTransaction } from "../schema/schema.ts";

/** Holds the login; the longer of two holds stays. */
export async function holdLogin(trx: WriteTransaction, hold: LoginHold): Promise<void> {
  const row = table.write(hold);
  await trx
    .insertInto("loginHolds")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("login").doUpdateSet(row).where("loginHolds.resumeAt", "<", row.resumeAt),
    )
    .execute();
}

/** Every hold, even past ones; the one that ends first comes first. */
export async function loginHolds(db: Reader): Promise<LoginHold[]> {
  const rows = await db.selectFrom("loginHolds").selectAll().orderBy("resumeAt").execute();
  return rows.map(table.read);
}
