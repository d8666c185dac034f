/** Lists what agents printed, the largest first, and deletes it for good. All else that is known of a run stays. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "neverthrow";
import { logVerdict } from "../../domain/clean/log-verdict.ts";
import { type LogRow, logRows } from "../../storage/queries/log-rows.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { refused } from "../core/refusal.ts";
import type { PageQuery } from "../core/request-shapes.ts";
import type { RemovedLogs, StoredLogs } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import { logBytes, PRINTED } from "./log-bytes.ts";
import type { StorageScanner } from "./scan-storage.ts";

/** As the last scan measured them; a page begins after the run that is its cursor. */
export async function listLogs(
  context: Uses<"db">,
  scanner: Pick<StorageScanner, "last" | "begin">,
  { cursor, limit }: PageQuery,
): Answer<StoredLogs> {
  const scan = scanner.last();
  if (scan === null) scanner.begin();
  const sizes = [...(scan?.logs ?? [])].sort((one, other) => other[1] - one[1]);
  const from = sizes.findIndex(([run]) => run === cursor) + 1;
  const page = sizes.slice(from, from + limit);
  const rows = await logRows(
    context.db.reader,
    page.map(([run]) => run),
  );
  const items = page.flatMap(([run, bytes]) => {
    const row = rows.get(run);
    return row === undefined ? [] : [itemOf(row, bytes)];
  });
  const next = from + limit < sizes.length ? (page.at(-1)?.[0] ?? null) : null;
  return ok({ items, next, count: sizes.length, scanned_at: scan?.at ?? null });
}

function itemOf(
  { ended: _, endedAt, attemptState, ...row }: LogRow,
  bytes: number,
): StoredLogs["items"][number] {
  return { ...row, bytes, ended_at: endedAt, ...logVerdict({ ended: endedAt !== null, attemptState }) };
}

/** Each is named. What goes on is left out, with the reason. */
export async function removeLogs(
  context: Uses<"db" | "paths" | "clock" | "newId" | "tokens" | "newFacts">,
  scanner: Pick<StorageScanner, "begin">,
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
  for (const row of rows.values()) {
    const { verdict, reason } = logVerdict(row);
    if (verdict === "working") kept.push({ run: row.run, reason });
    else removed.push({ run: row.run, bytes: await removeLog(context, row.run) });
  }
  context.newFacts.notify();
  scanner.begin();
  return ok({ removed, kept });
}

async function removeLog(
  context: Uses<"db" | "paths" | "clock" | "newId" | "tokens">,
  run: string,
): Promise<number> {
  const folder = context.paths.run(run);
  const bytes = await logBytes(folder);
  const at = context.clock.iso();
  await transact(context.db, (trx) =>
    insertOperation(trx, {
      id: context.newId(),
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
  for (const name of PRINTED) await rm(join(folder, name), { force: true });
  await writeOwnLog(context, run, { step: "log", text: "What the agent printed was deleted." });
  return bytes;
}
