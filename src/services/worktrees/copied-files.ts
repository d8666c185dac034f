/** Remembers which files were copied into an attempt's worktree, so that none of them is committed. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import type { ServiceContext } from "../core/context.ts";

const listSchema = z.array(z.string());

/** Paths relative to the worktree; empty if nothing was copied. */
export async function copiedFiles(
  context: Pick<ServiceContext, "paths">,
  attemptId: string,
): Promise<ReadonlySet<string>> {
  const text = await readFile(fileOf(context, attemptId), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  return new Set(listSchema.parse(JSON.parse(text)));
}

/** Stored durably before the first file is copied. */
export async function recordCopiedFiles(
  context: Pick<ServiceContext, "paths">,
  attemptId: string,
  paths: readonly string[],
): Promise<void> {
  const file = fileOf(context, attemptId);
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, JSON.stringify(paths), { mode: 0o600 });
}

function fileOf(context: Pick<ServiceContext, "paths">, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "copied.json");
}
