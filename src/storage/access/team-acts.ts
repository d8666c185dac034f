/** Stores what people did to their team. Rows are added and read, and deleted only when they are old. */
import { sql } from "kysely";
import type { TeamAct } from "../../domain/access/team-act.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Page, type PageQuery, pageOf, pageRows } from "../schema/cursor.ts";
import { type Reader, teamActs, type WriteTransaction } from "../schema/schema.ts";

export async function insertTeamAct(trx: WriteTransaction, act: TeamAct): Promise<void> {
  await trx.insertInto("teamActs").values(teamActs.write(act)).execute();
}

/** The newest first. */
export async function pageTeamActs(db: Reader, query: PageQuery): Promise<Page<TeamAct>> {
  const rows = await pageRows(db.selectFrom("teamActs").selectAll(), query, "at").execute();
  return pageOf(rows.map(teamActs.read), query, "at");
}

/** The newest act that may go, for those before it may go too. Null if all may stay. */
export async function newestDueTeamAct(
  db: Reader,
  { before, most }: { readonly before: string; readonly most: number },
): Promise<Pick<TeamAct, "at" | "id"> | null> {
  const newest = () =>
    db.selectFrom("teamActs").select(["at", "id"]).orderBy("at", "desc").orderBy("id", "desc").limit(1);
  const tooMany = await newest().offset(most).executeTakeFirst();
  const tooOld = await newest().where("at", "<", toTime(before)).executeTakeFirst();
  const due = [tooMany, tooOld].filter((row) => row !== undefined);
  return due.sort((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? 1 : -1))[0] ?? null;
}

/** Deletes that act, and all before it. */
export async function deleteTeamActs(
  trx: WriteTransaction,
  { at, id }: Pick<TeamAct, "at" | "id">,
): Promise<void> {
  const place = sql<boolean>`(${sql.ref("at")}, ${sql.ref("id")}) <= (${at}, ${id})`;
  await trx.deleteFrom("teamActs").where(place).execute();
}
