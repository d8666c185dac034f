/** Finds what the four ledgers disagree about: the database, git, the disk and the living processes. */
import { lstat } from "node:fs/promises";
import type { Finding } from "../../domain/doctor/finding.ts";
import { reconcile } from "../../domain/ledgers/reconcile.ts";
import { isShown, toFindings } from "../../domain/ledgers/to-findings.ts";
import { folderSize, type SizeBudget } from "../../utils/folder-size.ts";
import { gatherLedgers, type Places } from "../ledgers/gather-ledgers.ts";

/** Files that are looked at for one answer: a few seconds at most. */
const MOST_FILES = 200_000;

/** It looks and changes nothing. One `ok` where nothing is to be shown. */
export async function findLedgerFindings(context: Places): Promise<readonly Finding[]> {
  const ledgers = await gatherLedgers(context);
  const explanations = reconcile(ledgers);
  const there = new Set(ledgers.disk.map(({ path }) => path));
  const budget = { left: MOST_FILES };
  const bytes = new Map<string, number | null>();
  for (const { id, path } of explanations.filter(isShown))
    if (path !== null && there.has(path)) bytes.set(id, await sizeOf(path, budget));
  return toFindings(explanations, bytes);
}

/** Of a folder with all that is in it, or of a file; of a link its own. Null where there is too much to count. */
async function sizeOf(path: string, budget: SizeBudget): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? ((await folderSize(path, budget))?.bytes ?? null) : found.size;
}
