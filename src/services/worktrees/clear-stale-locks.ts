/** Takes the lock files away that a killed git left in an attempt's own corner; what a person's git holds stays. */
import { realpath } from "node:fs/promises";
import { removeStaleLocks } from "../../git/stale-locks.ts";
import { isProgramIn } from "../../utils/working-in.ts";
import type { RunWorld } from "../runs/step.ts";

/** To be called once nothing of the run is at work any more. A person may have a commit open in an editor there. */
export async function clearStaleLocks({ attempt, repository }: RunWorld): Promise<void> {
  const { gitDir, branch, worktree } = attempt;
  if (gitDir === null) return;
  const isHeld = async () => {
    for (const folder of [worktree, gitDir]) {
      const real = await realpath(folder).catch(() => folder);
      if (await isProgramIn("git", real)) return true;
    }
    return false;
  };
  await removeStaleLocks({ gitDir, commonDir: repository.commonDir, branch, isHeld });
}
