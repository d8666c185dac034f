/** Finds contradictions between the four ledgers: the database, git, the disk and the running processes. */
import { lstat } from "node:fs/promises";
import type { Finding } from "../../domain/doctor/finding.ts";
import { reconcile } from "../../domain/ledgers/reconcile.ts";
import { isShown, toFindings } from "../../domain/ledgers/to-findings.ts";
import { folderSize, type SizeBudget } from "../../utils/files/folder-size.ts";
import { gatherLedgers, type Places } from "../ledgers/gather-ledgers.ts";

/** The most files to look at for one answer: a few seconds at most. */
const MAX_FILES = 200_000;

/** Read-only. Answers one `ok` if there is nothing to show. */
export async function findLedgerFindings(context: Places): Promise<readonly Finding[]> {
  const ledgers = await gatherLedgers(context);
  const explanations = reconcile(ledgers);
  const existingPaths = new Set(ledgers.disk.map(({ path }) => path));
  const budget = { left: MAX_FILES };
  const bytes = new Map<string, number | null>();
  for (const { id, path } of explanations.filter(isShown))
    if (path !== null && existingPaths.has(path)) bytes.set(id, await sizeOf(path, budget));
  return toFindings(explanations, bytes);
}

/**
 * The size of a folder with its contents, or of a file; of a link, its own size. Null if there is too much to count.
 */
async function sizeOf(path: string, budget: SizeBudget): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? ((await folderSize(path, budget))?.bytes ?? null) : found.size;
}
