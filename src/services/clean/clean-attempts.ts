/** Cleans attempts up: what is finished and safe goes into the trash, what may hold work only when it is named. */
import { err, ok, type Result } from "neverthrow";
import { judgeAttempt } from "../../domain/clean/judge-attempt.ts";
import { cleanUpFinding } from "../../domain/ledgers/find-unfinished.ts";
import { folderSize } from "../../utils/folder-size.ts";
import type { ServiceContext } from "../context.ts";
import { findLedgerFindings } from "../doctor/find-ledger-findings.ts";
import type { Cleaned, CleanKept, CleanRemoved, Refusal } from "../services.ts";
import { endCleanly } from "./end-cleanly.ts";
import { type LookedAt, lookAtAttempts } from "./look-at-attempts.ts";
import { attemptsToJudge } from "./targets.ts";

interface Wish {
  /** Of a task, an attempt or a run; null for all. */
  readonly id: string | null;
  /** Whether anything goes; else it is only said what would. */
  readonly yes: boolean;
}

/** One after the other; what cannot go is kept, with the reason, and so is whatever nobody can explain. */
export async function cleanAttempts(context: ServiceContext, wish: Wish): Promise<Result<Cleaned, Refusal>> {
  const attempts = await attemptsToJudge(context, wish.id);
  if (attempts.isErr()) return err(attempts.error);
  const removed: CleanRemoved[] = [];
  const kept: CleanKept[] = [];
  for (const one of await lookAtAttempts(context, attempts.value, wish.id !== null)) {
    const judged = await cleanOne(context, one, wish);
    if ("reason" in judged) kept.push(judged);
    else removed.push(judged);
  }
  const told = new Set(attempts.value.map(({ id }) => cleanUpFinding(id)));
  if (wish.id === null) kept.push(...(await unexplained(context, told)));
  return ok({ removed, kept });
}

async function cleanOne(
  context: ServiceContext,
  { attempt, facts }: LookedAt,
  { yes }: Wish,
): Promise<CleanRemoved | CleanKept> {
  const { id, worktree: path } = attempt;
  const size = facts.place === "there" ? await folderSize(path, { left: Number.POSITIVE_INFINITY }) : null;
  const bytes = size?.bytes ?? 0;
  const whose = `attempt ${id.slice(0, 8)} of ${attempt.agent}`;
  const of = { id, what: `The worktree on ${attempt.branch}`, whose, bytes, path };
  const verdict = judgeAttempt(facts);
  if (!verdict.go) return { ...of, reason: verdict.why, remedy: verdict.remedy };
  const failed = yes ? await endCleanly(context, attempt) : null;
  if (failed !== null)
    return { ...of, reason: failed, remedy: `\`tazuna show ${id.slice(0, 8)}\` says more.` };
  return { ...of, why: verdict.why };
}

async function unexplained(
  context: ServiceContext,
  told: ReadonlySet<string>,
): Promise<readonly CleanKept[]> {
  const findings = await findLedgerFindings(context);
  return findings
    .filter(({ id, level }) => level !== "ok" && !told.has(id))
    .map(({ id, what, whose, why, bytes, path, remedy }) => ({
      id,
      what,
      whose,
      bytes,
      path,
      reason: why ?? what,
      remedy,
    }));
}
