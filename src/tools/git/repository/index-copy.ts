/** Lends a reading call a copy of the index: `diff` and `describe --dirty` write down which files only look changed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyWithTime } from "../../../utils/files/copy-with-time.ts";
import type { Variables } from "../hardening/git-environment.ts";

/**
 * Calls `run` with the variables that name the copy, and deletes the copy afterwards. If no copy can be made, `run`
 * gets no variables: git behaves as usual then.
 */
export async function withIndexCopy<T>(index: string, run: (variables: Variables) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tazuna-index-")).catch(() => null);
  if (folder === null) return run({});
  const copy = join(folder, "index");
  try {
    const isCopied = await copyWithTime(index, copy).catch(() => false);
    return await run(isCopied ? { GIT_INDEX_FILE: copy } : {});
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
