/** Lists what agents printed, the largest first, and deletes it for good. All else that is known of a run stays. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { logVerdict } from "../../domain/clean/log-verdict.ts";
import { type LogRow, logRows } from "../../storage/queries/log-rows.ts";
import { runsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { purgeLogs, removeSentLog, sentSizes } from "../../storage/team/sent-logs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { BAD_CURSOR, refused } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import type { RemovedLogs, StoredLogs } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import type { StreamCache } from "../logs/stream-cache.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import { logBytes, PRINTED } from "./log-bytes.ts";
import type { StorageScanner } from "./scan-storage.ts";

/** A run with the size of its log. */
type Size = readonly [run: string, bytes: number];

/**
 * In the order of the last scan. A later scan may lack the run that a page ended with. What was deleted since is left
 * out, as the next scan may take minutes.
 */
export async function listLogs(
  context: Uses<"db" | "owner" | "actor" | "paths">,
  scanner: Pick<StorageScanner, "last" | "begin">,
  { cursor, limit }: PageQuery,
): Answer<StoredLogs> {
  const after = cursor === null ? null : placeOf(cursor);
  if (cursor !== null && after === null) return err(BAD_CURSOR);
  const scan = scanner.last();
  if (scan === null) scanner.begin();
  const sizes = [...(scan?.logs ?? [])].sort(largestFirst);
  const rest = after === null ? sizes : sizes.filter((one) => largestFirst(one, after) > 0);
  const page = rest.slice(0, limit);
  const rows = await logRows(
    context.db.reader,
    page.map(([run]) => run),
  );
  const now = await sizesOf(
    context,
    page.map(([run]) => run),
  );
  const items = page.flatMap(([run]) => {
    const [row, sizes] = [rows.get(run), now.get(run)];
    return row === undefined || sizes === undefined || sizes.bytes + sizes.sent === 0
      ? []
      : [itemOf(row, sizes)];
  });
  const last = rest.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : `${last[1]}-${last[0]}`;
  return ok({ items, next, count: sizes.length, scanned_at: scan?.at ?? null });
}

interface Sizes {
  /** On the disk of this worker. */
  readonly bytes: number;
  /** In the database, for other workers. */
  readonly sent: number;
}

async function sizesOf(
  context: Uses<"db" | "owner" | "actor" | "paths">,
  runs: readonly string[],
): Promise<ReadonlyMap<string, Sizes>> {
  const sent = ownWorker(context) === null ? new Map() : await sentSizes(context.db.reader, runs);
  const sizes = runs.map(async (run) => {
    const bytes = await logBytes(context.paths.run(run));
    return [run, { bytes, sent: sent.get(run)?.bytes ?? 0 }] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** The place that a page ended with, or null if no page named it. */
function placeOf(cursor: string): Size | null {
  const found = /^(\d{1,15})-([\w-]+)$/.exec(cursor);
  return found === null ? null : [found[2] ?? "", Number(found[1])];
}

function largestFirst(one: Size, other: Size): number {
  return other[1] - one[1] || (one[0] < other[0] ? -1 : Number(one[0] > other[0]));
}

function itemOf(
  { ended: _, endedAt, attemptState, ...row }: LogRow,
  { bytes, sent }: Sizes,
): StoredLogs["items"][number] {
  return {
    ...row,
    bytes,
    sent_bytes: sent,
    ended_at: endedAt,
    ...logVerdict({ ended: endedAt !== null, attemptState }),
  };
}

/** Each is named. What goes on is left out, with the reason. */
export async function removeLogs(
  context: Uses<"db" | "paths" | "clock" | "newId" | "owner" | "actor" | "tokens" | "newFacts">,
  { scanner, streams }: { readonly scanner: Pick<StorageScanner, "begin">; readonly streams: Streams },
  runs: readonly string[],
): Answer<RemovedLogs> {
  const rows = await logRows(context.db.reader, runs);
  const unknown = runs.find((run) => !rows.has(run));
  if (unknown !== undefined)
    return refused("not_found", "not_found", `No run has the id "${unknown}".`, {
      remedy: "`tazuna list --all` shows the ids.",
      details: { id: unknown },
    });
  const removed: { run: string; bytes: number }[] = [];
  const kept: { run: string; reason: string }[] = [];
  const sizes = await sizesOf(context, [...rows.keys()]);
  const elsewhere = await keptElsewhere(context, [...rows.keys()]);
  for (const row of rows.values()) {
    const { run } = row;
    const { verdict, reason } = logVerdict(row);
    const { bytes, sent } = sizes.get(run) ?? { bytes: 0, sent: 0 };
    if (verdict === "working") kept.push({ run, reason });
    else if (bytes + sent === 0) kept.push({ run, reason: "There is no log any more." });
    else if (elsewhere.has(run)) kept.push({ run, reason: "It lies on another worker: delete it there." });
    else {
      await removeLog(context, { run, bytes: bytes + sent, streams });
      removed.push({ run, bytes: bytes + sent });
    }
  }
  context.newFacts.notify();
  scanner.begin();
  return ok({ removed, kept });
}

/** Runs of other workers, but for those of workers that were removed: what these sent is deleted anywhere. */
async function keptElsewhere(
  context: Uses<"db" | "owner" | "actor">,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const than = ownWorker(context);
  if (than === null) return new Set();
  const others = await runsOfOthers(context.db.reader, { than, among: runs });
  const sent = await sentSizes(context.db.reader, runs);
  const drives = (run: string) => others.get(run)?.drives ?? than;
  return new Set(runs.filter((run) => drives(run) !== than && sent.get(run)?.isLeft !== true));
}

type Streams = Pick<StreamCache, "forget">;

/** Recorded only once it is gone, from the memory too. */
async function removeLog(
  context: Uses<"db" | "paths" | "clock" | "newId" | "owner" | "actor" | "tokens">,
  { run, bytes, streams }: { readonly run: string; readonly bytes: number; readonly streams: Streams },
): Promise<void> {
  for (const name of PRINTED) await rm(join(context.paths.run(run), name), { force: true });
  streams.forget(run);
  if (ownWorker(context) !== null) {
    await removeSentLog(context.db, run);
    await purgeLogs(context.db);
  }
  const at = context.clock.iso();
  await transact(context.db, (trx) =>
    insertOperation(trx, {
      id: context.newId(),
      workerId: context.owner,
      actor: context.actor,
      kind: "log_removed",
      subject: { type: "run", id: run },
      before: { bytes },
      after: null,
      status: "done",
      undoable: false,
      at,
      endedAt: at,
    }),
  );
  await writeOwnLog(context, run, { step: "log", text: "What the agent printed was deleted." });
}
