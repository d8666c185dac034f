/** Puts away what a killed git left of an unfinished worktree. */
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { WorktreePlace } from "../../git/worktree/worktree-list.ts";
import { type PruneError, pruneWorktree } from "../../git/worktree/worktree-prune.ts";
import { moveEntry } from "../../utils/files/move-entries.ts";
import type { GitContext, JournalContext, Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** Whether a path is a folder that holds only what `git worktree add --no-checkout` begins with. */
export async function isBarelyBegun(path: string): Promise<boolean> {
  if (!(await lstat(path)).isDirectory()) return false;
  const names = await readdir(path);
  if (names.length === 0) return true;
  return names.length === 1 && names[0] === ".git" && (await lstat(join(path, ".git"))).isFile();
}

/**
 * The path contains the run's random id, so what lies there is ours; it is still kept in the trash. Call it under the
 * repository's lock.
 */
export async function putHalfMadeAside(
  context: GitContext & Uses<"paths">,
  { attempt, repository }: AttemptInRepository,
  place: WorktreePlace,
): Promise<Result<void, PruneError>> {
  if (place.directory !== "absent") await moveAside(context, attempt);
  if (place.registered === null) return ok(undefined);
  return pruneWorktree(context.git, repositoryTarget(repository), attempt.worktree);
}

/** Records the new place before the move, so that the journal explains what lies there. */
async function moveAside(
  context: JournalContext & Uses<"paths">,
  { id, worktree: path }: Attempt,
): Promise<void> {
  await mkdir(context.paths.trash, { recursive: true, mode: 0o700 });
  const aside = join(context.paths.trash, `half-made-${context.newId()}`);
  await journaled(
    context,
    { kind: "half_made", subject: { type: "attempt", id }, before: { path, aside } },
    async () => {
      await moveEntry(path, aside);
      return ok(undefined);
    },
    () => ({ path: aside }),
  );
}
