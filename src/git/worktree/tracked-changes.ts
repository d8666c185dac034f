/** Lists the tracked files of a worktree that are not as its HEAD has them, staged or not. */
import type { GitAnswer } from "../process/git-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

const STATUS = [
  "status",
  "--porcelain",
  "-z",
  "--untracked-files=no",
  "--no-renames",
  "--ignore-submodules=all",
];

export async function trackedChanges(git: Git, target: GitTarget): GitAnswer<readonly string[]> {
  return (await listFields(git, target, STATUS)).map((lines) => lines.map((line) => line.slice(3)));
}
