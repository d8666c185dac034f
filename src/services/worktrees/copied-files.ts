/** Remembers which files were copied into an attempt's worktree, so that none of them is committed. */
import { join } from "node:path";
import { z } from "zod";
import type { Uses } from "../core/context-parts.ts";
import { readRecord, writeRecord } from "../run-core/record-file.ts";

const listSchema = z.array(z.string());

/** Paths relative to the worktree; empty if nothing was copied. */
export async function copiedFiles(context: Uses<"paths">, attemptId: string): Promise<ReadonlySet<string>> {
  return new Set(await readRecord(fileOf(context, attemptId), listSchema));
}

/** Stored durably before the first file is copied. */
export async function recordCopiedFiles(
  context: Uses<"paths">,
  attemptId: string,
  paths: readonly string[],
): Promise<void> {
  await writeRecord(fileOf(context, attemptId), paths);
}

function fileOf(context: Uses<"paths">, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "copied.json");
}
