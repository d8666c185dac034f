/** Completes registrations of worktrees that a git which was killed, or a power cut, left half written. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../utils/atomic-write.ts";

/** Git names a registration after the worktree's folder, and adds a number where there is one of that name. */
const OURS = /^run_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\d*$/;

/**
 * Writes into the empty `commondir` of registrations that Tazuna made what git would have written next; git refuses every
 * `worktree` command of the repository before. Those of a person stay as they are. Returns whether there was any.
 */
export async function mendRegistrations(commonDir: string): Promise<boolean> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  let mended = false;
  for (const file of names.filter((name) => OURS.test(name)).map((name) => join(folder, name, "commondir"))) {
    const found = await lstat(file).catch(() => null);
    if (found?.isFile() !== true || found.size > 0) continue;
    await writeFileAtomic(file, "../..\n", { mode: 0o644 });
    mended = true;
  }
  return mended;
}
