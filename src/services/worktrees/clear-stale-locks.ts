/** Removes lock files that a killed git left in an attempt's own places; lock files of a person's git stay. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { locksBelow, ownLocks, removeStaleLocks } from "../../git/worktree/stale-locks.ts";
import { mayWorkIn } from "../../utils/programs/working-in.ts";
import type { RunWorld } from "../run-core/step.ts";

type Corner = Pick<RunWorld, "attempt" | "repository"> & { readonly run?: RunWorld["run"] };

/** Call it once no process of the attempt works any more. A person may have a commit open in an editor there. */
export async function clearStaleLocks({ attempt, repository, run }: Corner): Promise<void> {
  const { gitDir, branch, worktree } = attempt;
  const { commonDir, path } = repository;
  const ours = [
    `refs/tazuna/snapshots/${attempt.id}`,
    ...(run === undefined ? [] : [`refs/tazuna/runs/${run.id}`]),
  ];
  const places = (await Promise.all(ours.map((name) => locksBelow(commonDir, name)))).flat();
  // A person's `git gc` locks every reference for a moment.
  await removeStaleLocks({ places, isHeld: () => mayGitWorkIn([path, commonDir, worktree]) });
  if (gitDir === null) return;
  await removeStaleLocks({
    places: await ownLocks({ gitDir, commonDir, branch }),
    isHeld: () => mayGitWorkIn([worktree, gitDir]),
  });
}

/** The lock of an index that a git of ours was killed at; a person's git keeps its own. */
export async function clearIndexLock({ path, gitDir }: { readonly path: string; readonly gitDir: string }) {
  const places = [join(gitDir, "index.lock")];
  await removeStaleLocks({ places, isHeld: () => mayGitWorkIn([path, gitDir]) });
}

async function mayGitWorkIn(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => folder);
    if (await mayWorkIn(real, "git")) return true;
  }
  return false;
}
