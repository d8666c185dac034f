/** Lists what takes room in the data folder, and which of it may go: by the last scan, and the database of now. */
import { err, ok } from "neverthrow";
import { storageVerdict } from "../../domain/clean/storage-verdict.ts";
import type { CleanKept } from "../../domain/trash/tidied.ts";
import { keptAttempts, type StoredAttempt } from "../../storage/queries/kept-attempts.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { BAD_CURSOR } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import type { StorageItem, StorageList } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import type { StorageScan, StorageScanner } from "./scan-storage.ts";

/** A scan that is older is renewed in the background when somebody looks. */
const STALE_MS = 10 * 60_000;

/** Waits for no scan: what was not measured yet is null. */
export async function listStorage(
  context: Uses<"db" | "owner" | "paths" | "clock">,
  scanner: StorageScanner,
  { cursor, limit }: PageQuery,
): Answer<StorageList> {
  if (cursor !== null && (await getAttempt(context.db.reader, cursor)) === null) return err(BAD_CURSOR);
  const scan = scanner.last();
  if (scan === null || context.clock.now().getTime() - Date.parse(scan.at) > STALE_MS) scanner.begin();
  const of = { after: cursor, limit: limit + 1, worker: ownWorker(context) };
  const page = await keptAttempts(context.db.reader, of);
  const next = page.length > limit ? (page[limit - 1]?.attempt.id ?? null) : null;
  const shown = page.slice(0, limit).map((stored) => itemOf(stored, scan));
  const strangers = next === null ? (scan?.strangers ?? []).map((one) => strangerOf(one, scan)) : [];
  const { free } = await freeSpace(context.paths.root);
  return ok({
    items: [...shown, ...strangers],
    next,
    totals: { ...(scan?.totals ?? NOT_MEASURED), free },
    scanned_at: scan?.at ?? null,
    scanning: scanner.scanning(),
  });
}

const NOT_MEASURED = {
  ...{ worktrees: null, trash: null, logs: null, database: null, clones: null },
  sent_logs: null,
};

function itemOf({ attempt, title, repository, runs }: StoredAttempt, scan: StorageScan | null): StorageItem {
  const scanned = scan?.attempts.get(attempt.id) ?? null;
  const { state, cleanUp } = attempt;
  const judged = scanned === null ? null : storageVerdict(scanned.facts, { state, cleanUp, runs });
  const times = [attempt.createdAt, ...runs.flatMap(({ endedAt }) => endedAt ?? [])];
  return {
    attempt: attempt.id,
    task: attempt.taskId,
    title,
    repository,
    agent: attempt.agent,
    state,
    path: attempt.worktree,
    branch: attempt.branch,
    bytes: scanned?.bytes ?? null,
    scanned_at: scanned === null ? null : (scan?.at ?? null),
    last_used_at: times.sort().at(-1) ?? attempt.createdAt,
    dirty: judged?.dirty ?? null,
    unpushed: judged?.unpushed ?? null,
    verdict: judged?.verdict ?? null,
    reason: judged?.reason ?? null,
    remedy: judged?.remedy ?? null,
  };
}

function strangerOf({ what, path, bytes, reason, remedy }: CleanKept, scan: StorageScan | null): StorageItem {
  return {
    attempt: null,
    task: null,
    title: what,
    repository: null,
    agent: null,
    state: null,
    path,
    branch: null,
    bytes,
    scanned_at: scan?.at ?? null,
    last_used_at: null,
    dirty: null,
    unpushed: null,
    verdict: "not_ours",
    reason,
    remedy,
  };
}
