/** Cleans attempts up: finished and safe ones go into the trash, ones that may hold work only when named. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { judgeAttempt } from "../../domain/clean/judge-attempt.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { keptCloneFinding } from "../../domain/doctor/repository.ts";
import { cleanUpFinding } from "../../domain/ledgers/find-unfinished.ts";
import type { Cleaned, CleanKept, CleanRemoved } from "../../domain/trash/tidied.ts";
import { attemptRows } from "../../storage/queries/ledger-rows.ts";
import { attemptsOfTask, getAttempt } from "../../storage/tables/attempts.ts";
import { folderSize } from "../../utils/files/folder-size.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { heldByOthers, refuseElsewhere } from "../core/held-elsewhere.ts";
import type { Refusal } from "../core/refusal.ts";
import type { CleanRequest } from "../core/request-shapes.ts";
import { findLedgerFindings } from "../doctor/find-ledger-findings.ts";
import { findId } from "../queries/task-detail.ts";
import { endCleanly } from "./end-cleanly.ts";
import { type ExaminedAttempt, examineAttempts } from "./examine-attempts.ts";

/**
 * Works through them one after the other. What cannot go is kept, with the reason. What has no explanation is kept too.
 */
export async function cleanAttempts(
  context: CleanUpContext & Uses<"unexaminedOperations" | "keptClones">,
  request: CleanRequest,
): Promise<Result<Cleaned, Refusal>> {
  const attempts = await attemptsToJudge(context, request.ids);
  if (attempts.isErr()) return err(attempts.error);
  const removed: CleanRemoved[] = [];
  const { here, kept } = await apart(context, attempts.value);
  for (const one of await examineAttempts(context, here, request.ids !== null)) {
    const judged = await cleanOne(context, one, request);
    if ("reason" in judged) kept.push(judged);
    else removed.push(judged);
  }
  const reported = new Set(attempts.value.map(({ id }) => cleanUpFinding(id)));
  const clones = [...context.keptClones.values()].map(keptCloneFinding);
  if (request.ids === null) kept.push(...(await unexplained(context, reported)), ...clones.map(keptOf));
  return ok({ removed, kept });
}

/** Those whose files are here, and why the others stay. */
async function apart(
  context: Uses<"db" | "owner">,
  attempts: readonly Attempt[],
): Promise<{ readonly here: readonly Attempt[]; readonly kept: CleanKept[] }> {
  const here: Attempt[] = [];
  const kept: CleanKept[] = [];
  for (const attempt of attempts) {
    const elsewhere = await refuseElsewhere(context, attempt.id);
    if (elsewhere === null) here.push(attempt);
    else
      kept.push({
        ...named(attempt),
        what: `The worktree on ${attempt.branch}`,
        bytes: null,
        reason: elsewhere.message,
        remedy: elsewhere.remedy,
      });
  }
  return { here, kept };
}

const named = ({ id, agent, worktree }: Attempt) => ({
  id,
  whose: `attempt ${id.slice(0, 8)} of ${agent}`,
  path: worktree,
});

async function cleanOne(
  context: CleanUpContext,
  examined: ExaminedAttempt,
  { yes }: CleanRequest,
): Promise<CleanRemoved | CleanKept> {
  const { attempt, facts } = examined;
  const { id, worktree: path } = attempt;
  const size = facts.place === "there" ? await folderSize(path, { left: Number.POSITIVE_INFINITY }) : null;
  const bytes = size?.bytes ?? 0;
  const what = `The ${facts.made ? "worktree" : "attempt"} on ${attempt.branch}`;
  const judged = { ...named(attempt), what, bytes };
  const verdict = judgeAttempt(facts);
  if (!verdict.go) return { ...judged, reason: verdict.why, remedy: verdict.remedy };
  const failed = yes ? await endCleanly(context, examined) : null;
  if (failed !== null)
    return { ...judged, reason: failed, remedy: `\`tazuna show ${id.slice(0, 8)}\` says more.` };
  return { ...judged, why: verdict.why };
}

export async function unexplained(
  context: Uses<"db" | "owner" | "git" | "paths" | "unexaminedOperations">,
  reported: ReadonlySet<string>,
): Promise<readonly CleanKept[]> {
  const findings = await findLedgerFindings(context);
  return findings.filter(({ id, level }) => level !== "ok" && !reported.has(id)).map(keptOf);
}

function keptOf({ id, what, whose, why, bytes, path, remedy }: Finding): CleanKept {
  return { id, what, whose, bytes, path, reason: why ?? what, remedy };
}

/**
 * The attempts that a clean-up is about: those of some ids, or all of this data folder that are not cleaned up yet. A run stands for its
 * attempt, a task for all of its attempts. An attempt that is cleaned up already is left out: a repeated call has
 * nothing to do.
 */
export async function attemptsToJudge(
  context: Uses<"db" | "owner">,
  ids: readonly string[] | null,
): Promise<Result<readonly Attempt[], Refusal>> {
  const { reader } = context.db;
  if (ids === null) {
    const others = await heldByOthers(context, null);
    const all = await attemptRows(reader);
    const rows = all.filter(({ id, state }) => state !== "removed" && !others.has(id));
    const attempts = await Promise.all(rows.map((row) => getAttempt(reader, row.id)));
    return ok(attempts.filter((attempt) => attempt !== null));
  }
  const meant = new Map<string, Attempt>();
  for (const id of ids) {
    const found = await findId(context, id);
    if (found.isErr()) return err(found.error);
    const { attemptId, taskId } = found.value;
    for (const attempt of await attemptsOfTask(reader, taskId))
      if (attempt.state !== "removed" && (attemptId === null || attempt.id === attemptId))
        meant.set(attempt.id, attempt);
  }
  return ok([...meant.values()]);
}
