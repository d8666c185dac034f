/** Remembers which files of a patch a person has looked at, and the newest run that was seen. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { changeMark } from "../../domain/viewed/viewed.ts";
import { diffRecords } from "../../git/index/diff.ts";
import type { DiffRecord } from "../../git/index/diff-records.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import {
  forgetViewed,
  saveSeenRun,
  saveViewed,
  seenRunOf,
  viewedFilesOf,
} from "../../storage/tables/viewed.ts";
import { transact } from "../../storage/transact.ts";
import type { MarkedFile, ViewedFiles } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import type { MarkSeen } from "../core/decide-shapes.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import type { MarkViewed } from "../core/request-shapes.ts";
import { gitRefusal, sidesOf } from "../diffs/compared-sides.ts";
import { unchanged } from "../diffs/show-diff.ts";

type ViewedContext = Uses<"db" | "git" | "configuration">;
type MarkContext = ViewedContext & Uses<"clock" | "newFacts">;

/** Those that the patch still has. `changed`: the file's patch is another one since. */
export async function viewedFiles(
  engine: ViewedContext,
  attemptId: string,
): Promise<Result<ViewedFiles, Refusal>> {
  return safeTry(async function* () {
    const stored = await viewedFilesOf(engine.db.reader, attemptId);
    const patch = stored.length === 0 ? [] : yield* await patchOf(engine, attemptId);
    if (stored.length === 0 && (await getAttempt(engine.db.reader, attemptId)) === null)
      return err(notFound("attempt", attemptId));
    const marks = new Map(patch.map((record) => [record.path, changeMark(record)]));
    const items = stored.flatMap(({ path, mark, at }) =>
      marks.has(path) ? [{ path, at, changed: marks.get(path) !== mark }] : [],
    );
    const seen = await seenRunOf(engine.db.reader, attemptId);
    return ok({ items, seen: seen && { run: seen.runId, at: seen.at } });
  });
}

async function patchOf(
  engine: ViewedContext,
  attemptId: string,
): Promise<Result<readonly DiffRecord[], Refusal>> {
  const sides = await sidesOf(engine, attemptId);
  if (sides.isErr()) return err(sides.error);
  const { context, target, from, to } = sides.value;
  if (from === null || to === null) return ok([]);
  return (await diffRecords(context.git, target, { from, to })).mapErr(gitRefusal);
}

/** Marks a file of the patch as looked at, as it is now, or takes the mark away. */
export async function markViewed(
  engine: MarkContext,
  { attempt: attemptId, path, viewed }: MarkViewed,
): Promise<Result<MarkedFile, Refusal>> {
  return safeTry(async function* () {
    const attempt = await getAttempt(engine.db.reader, attemptId);
    if (attempt === null) return err(notFound("attempt", attemptId));
    const patch = viewed ? yield* await patchOf(engine, attemptId) : [];
    const record = patch.find((each) => each.path === path);
    if (viewed && record === undefined) return err(unchanged(path));
    const at = engine.clock.iso();
    await transact(engine.db, async (trx) => {
      if (record === undefined) await forgetViewed(trx, { attemptId, path });
      else await saveViewed(trx, { attemptId, path, mark: changeMark(record), at });
      await tell(trx, attempt, { at, kind: "attempt.viewed", data: { path, viewed } });
    });
    engine.newFacts.notify();
    return ok({ path, viewed, at: viewed ? at : null });
  });
}

/** Records the newest run that the person looked at; an older one than before changes nothing. */
export async function markSeen(
  engine: Uses<"db" | "clock" | "newFacts">,
  { attempt: attemptId, run: runId }: MarkSeen,
): Promise<Result<{ readonly run: string | null }, Refusal>> {
  const attempt = await getAttempt(engine.db.reader, attemptId);
  if (attempt === null) return err(notFound("attempt", attemptId));
  const at = engine.clock.iso();
  const seen = await transact(engine.db, async (trx) => {
    const runs = await runsOfAttempt(trx, attemptId);
    const run = runId === null ? newest(runs) : runs.find(({ id }) => id === runId);
    if (runId !== null && run === undefined) return err(notFound("run", runId));
    return ok({ run: await noteSeen(trx, { attempt, runs, run, at }) });
  });
  engine.newFacts.notify();
  return seen;
}

/** In the transaction that sends comments: who comments has seen what they are about. */
export async function noteNewestSeen(trx: WriteTransaction, attempt: Attempt, at: string): Promise<void> {
  const runs = await runsOfAttempt(trx, attempt.id);
  await noteSeen(trx, { attempt, runs, run: newest(runs), at });
}

interface Seen {
  readonly attempt: Attempt;
  readonly runs: readonly Run[];
  readonly run: Run | undefined;
  readonly at: string;
}

/** The newest run that was seen. */
async function noteSeen(trx: WriteTransaction, { attempt, runs, run, at }: Seen): Promise<string | null> {
  const before = (await seenRunOf(trx, attempt.id))?.runId ?? null;
  if (run === undefined || placeIn(runs, run.id) <= placeIn(runs, before)) return before;
  await saveSeenRun(trx, { attemptId: attempt.id, runId: run.id, at });
  await tell(trx, attempt, { at, kind: "attempt.seen", data: { run: run.id } });
  return run.id;
}

/** The last one that has ended, since what it left is known. */
function newest(runs: readonly Run[]): Run | undefined {
  return workOf(runs).findLast(({ status }) => isEnded(status));
}

/** -1 if there is none. */
function placeIn(runs: readonly Run[], id: string | null): number {
  return runs.findIndex((run) => run.id === id);
}

async function tell(
  trx: WriteTransaction,
  { id, taskId }: Attempt,
  fact: { readonly at: string; readonly kind: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  await appendFact(trx, { ...fact, taskId, attemptId: id, runId: null });
}
