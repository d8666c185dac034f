/** Notes who did what to the team, lists it, and forgets what is old (ADR 0107). */

import { err, ok, type Result } from "neverthrow";
import type { TeamAct, TeamActKind } from "../../domain/access/team-act.ts";
import {
  deleteTeamActs,
  insertTeamAct,
  newestDueTeamAct,
  pageTeamActs,
} from "../../storage/access/team-acts.ts";
import { readCursor, writeCursor } from "../../storage/schema/cursor.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { ListPage } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { BAD_CURSOR, type Refusal } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";

const KEPT_MS = 366 * 24 * 3_600_000;
const MOST = 100_000;

/** What a function needs that notes an act. */
export type NoteContext = Uses<"clock" | "newId" | "actor">;

interface NewAct {
  readonly kind: TeamActKind;
  /** Null if it has no id. */
  readonly id: string | null;
  /** What people call it. It must be no secret. */
  readonly name: string;
  readonly detail?: string | null;
}

/** In the transaction of the act, so that neither is there without the other. */
export async function noteTeamAct(
  { clock, newId, actor }: NoteContext,
  trx: WriteTransaction,
  { kind, id: subjectId, name, detail = null }: NewAct,
): Promise<void> {
  const act: TeamAct = { id: newId(), kind, subjectId, name, detail, actor, at: clock.iso() };
  await insertTeamAct(trx, act);
  const ids = { taskId: null, attemptId: null, runId: null };
  await appendFact(trx, { at: act.at, kind: "team.act", ...ids, data: { act: act.id, kind } });
}

/** The newest first. */
export async function listTeamActs(
  { db }: Uses<"db">,
  query: PageQuery,
): Promise<Result<ListPage<TeamAct>, Refusal>> {
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (query.cursor !== null && cursor === null) return err(BAD_CURSOR);
  const { items, next } = await pageTeamActs(db.reader, { ...query, cursor });
  return ok({ items, next: next && writeCursor(next) });
}

/** What is older than a year goes, and what is more than 100,000. A worker that joined may not delete: a server does it. */
export async function forgetTeamActs(
  { db, clock, postgresAddress }: Uses<"db" | "clock" | "postgresAddress">,
  most = MOST,
): Promise<void> {
  if (db.kind === "postgres" && postgresAddress === null) return;
  const before = new Date(clock.now().getTime() - KEPT_MS).toISOString();
  const due = await newestDueTeamAct(db.reader, { before, most });
  if (due !== null) await transact(db, (trx) => deleteTeamActs(trx, due));
}
