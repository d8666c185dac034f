/** Puts away what a git that was killed left of making a worktree. */
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { WorktreePlace } from "../../git/worktree-list.ts";
import { type PruneError, pruneWorktree } from "../../git/worktree-prune.ts";
import { moveEntry } from "../../utils/move-entries.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { repositoryTarget } from "./targets.ts";

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
}

/** Whether a path is a folder that holds nothing but what `git worktree add --no-checkout` begins with. */
export async function isBarelyBegun(path: string): Promise<boolean> {
  if (!(await lstat(path)).isDirectory()) return false;
  const names = await readdir(path);
  if (names.length === 0) return true;
  return names.length === 1 && names[0] === ".git" && (await lstat(join(path, ".git"))).isFile();
}

/** The path carries the run's random id, so what lies there is ours; it is kept in the trash all the same. Under the repository's lock. */
export async function putHalfMadeAside(
  context: ServiceContext,
  { attempt, repository }: Of,
  place: WorktreePlace,
): Promise<Result<void, PruneError>> {
  if (place.directory !== "absent") await moveAside(context, attempt);
  if (place.registered === null) return ok(undefined);
  return pruneWorktree(context.git, repositoryTarget(repository), attempt.worktree);
}

/** Where it goes is written down before it goes, so that whoever finds it there knows what it is. */
async function moveAside(context: ServiceContext, { id, worktree: path }: Attempt): Promise<void> {
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
