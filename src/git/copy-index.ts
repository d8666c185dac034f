/** Copies the index of a worktree so that git doubts in the copy whatever it would doubt in the original. */
import { copyFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { GitTarget } from "./run-git.ts";

/**
 * Git takes a file for unchanged by its size and its times in whole seconds, unless the index was written in that very
 * second: so the copy must be as old as the original. Without an index there is no copy, which git reads as an empty one.
 */
export async function copyIndex({ gitDir }: GitTarget, to: string): Promise<void> {
  const from = join(gitDir, "index");
  // Asked before: of an index that is replaced meanwhile, git then doubts more than it need.
  const written = await stat(from).catch(() => null);
  if (written === null) return;
  await copyFile(from, to);
  const second = Math.floor(written.mtimeMs / 1000);
  await utimes(to, second, second);
}
