/** Takes over what an agent wrote as its own summary: without secrets, which the agent's file may hold as it is. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRedactor } from "../../domain/agent/redact.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { removeTree } from "../../utils/remove-tree.ts";
import { readSummary } from "./read-summary.ts";

/** In the run's folder; of one start of its agent. */
export const TAKEN_SUMMARY = "summary.txt";

/**
 * Null where there is none. The agent's own file goes, with the folder that it could write to. May be repeated: an engine
 * that is killed before the run has moved on finds what was taken.
 */
export async function takeSummary(
  dir: string,
  file: string,
  values: readonly string[],
): Promise<string | null> {
  const taken = join(dir, TAKEN_SUMMARY);
  const before = await readFile(taken, "utf8").catch(() => null);
  const text = before ?? readSummary(file);
  const clean = text === null ? null : createRedactor({ values }).text(text);
  if (before === null && clean !== null) await writeFileAtomic(taken, clean, { mode: 0o600 });
  await removeTree(dirname(file));
  return clean;
}
