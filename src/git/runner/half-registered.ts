/** Recognises worktree registrations that another git is making, and completes those that a killed git left. */

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import type { GitError } from "../process/git-error.ts";

/** How often such a call is repeated; with the pauses between, about three seconds. */
export const MAX_REGISTRATIONS = 7;

/**
 * Git creates the file `commondir` of a registration and then fills it. Another git may read all worktrees in
 * between, or while the registration is deleted. Then it fails before it has changed anything. The reason is
 * `Success` if the file is empty. The second message comes if the folder went after the file was read.
 */
const MET =
  /^fatal: (?:failed to read (?:.*\/)?worktrees\/[^/\n]+\/commondir: |Invalid path '[^'\n]*\/worktrees\/[^/'\n]+': No such file or directory$)/m;

/**
 * The same for a new worktree alone. Another git pruned the registration before it was marked as being made. Or it
 * pruned the folder of all registrations when the last one went.
 */
const PRUNED =
  /^fatal: could not (?:create (?:leading directories|directory) of|open) '[^'\n]*worktrees\/[^'\n]*'.*: No such file or directory$/m;

export function metHalfRegistered(stderr: string): boolean {
  return MET.test(stderr);
}

/** Whether a `worktree add` failed only because other gits changed the registrations at the same instant. */
export function addMayPass(error: GitError): boolean {
  return error.kind === "git_failed" && (MET.test(error.stderr) || PRUNED.test(error.stderr));
}

/** Git names a registration after the worktree's folder, and adds a number if that name exists. */
const OURS = /^run_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\d*$/;

/**
 * Fills the empty `commondir` of registrations that Tazuna made, with the text that git would write. Until then, git
 * refuses every `worktree` command of the repository. A person's registrations stay as they are.
 */
export async function mendRegistrations(commonDir: string): Promise<void> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  for (const file of names.filter((name) => OURS.test(name)).map((name) => join(folder, name, "commondir"))) {
    const found = await lstat(file).catch(() => null);
    if (found?.isFile() !== true || found.size > 0) continue;
    // A registration that disappears meanwhile needs nothing. If a file cannot be written, git reports it itself.
    await writeFileAtomic(file, "../..\n", { mode: 0o644 }).catch(() => undefined);
  }
}
