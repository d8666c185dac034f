/** Finds the repository that a path means: the one that it lies in; in an attempt's worktree, the attempt's own. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ok, type Result } from "neverthrow";
import {
  type DiscoverError,
  type DiscoveredRepository,
  discoverRepository,
} from "../../git/repository/discover.ts";
import type { Git } from "../../git/runner/run-git.ts";
import { repositoryOfWorktree } from "../../storage/queries/repository-attempts.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import type { DataPaths } from "../core/data-paths.ts";

interface Lookout {
  readonly git: Git;
  readonly paths: Pick<DataPaths, "worktrees" | "workspaces">;
  /** Null if it cannot be read: then no worktree is known to be an attempt's. */
  readonly db: Database | null;
}

/**
 * For git such a worktree is a checkout like any other. A task on it would work on another attempt's files. A clone is
 * the folder around its git directory.
 */
export async function repositoryAt(
  lookout: Lookout,
  path: string,
): Promise<Result<DiscoveredRepository, DiscoverError>> {
  const found = await attemptsOwn(lookout, path);
  if (found.isErr() || !found.value.bare) return found;
  const workspaces = await realpath(lookout.paths.workspaces).catch(() => null);
  const folder = dirname(found.value.commonDir);
  const isClone = dirname(folder) === workspaces && basename(found.value.commonDir) === ".git";
  return isClone ? ok({ ...found.value, path: folder }) : found;
}

async function attemptsOwn(
  { git, paths, db }: Lookout,
  path: string,
): Promise<Result<DiscoveredRepository, DiscoverError>> {
  const found = await discoverRepository(git, path);
  if (db === null || found.isErr() || !found.value.linkedWorktree) return found;
  const worktrees = await realpath(paths.worktrees).catch(() => paths.worktrees);
  if (dirname(found.value.path) !== worktrees) return found;
  const ofWorktree = await repositoryOfWorktree(db.reader, join(paths.worktrees, basename(found.value.path)));
  if (ofWorktree === null) return found;
  const real = await discoverRepository(git, ofWorktree.path);
  return real.isOk() ? ok(real.value) : found;
}
