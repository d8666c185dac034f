/** Finds the worktree that holds a branch: it has it checked out, or will go back to it. */
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { readGitFile } from "../process/locate-git-dir.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { listWorktrees } from "../worktree/worktree-list.ts";

export interface BranchHolder {
  /** Absolute; a bare repository's own folder if that is its HEAD. */
  readonly path: string;
  readonly gitDir: string;
  /** `rebase` and `bisect` go back to the branch when they end; null if it is checked out. */
  readonly during: "rebase" | "bisect" | null;
}

/** Null if no worktree holds it. The target is the repository as a whole. */
export async function branchHolder(
  git: Git,
  target: GitTarget,
  branch: string,
): GitAnswer<BranchHolder | null> {
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  for (const [at, { path, branch: checkedOut, bare }] of listed.value.entries()) {
    if (bare) continue;
    const gitDir = at === 0 ? target.gitDir : await readGitFile(path);
    if (gitDir === null) continue;
    if (checkedOut === branch) return ok({ path, gitDir, during: null });
    const during = goesBackTo(gitDir, branch);
    if (during !== null) return ok({ path, gitDir, during });
  }
  return ok(null);
}

/** In bytes; the name of a branch may be long. */
const MAX_LENGTH = 4096;

function goesBackTo(gitDir: string, branch: string): BranchHolder["during"] {
  const says = (file: string, name: string) => readPlainFile(join(gitDir, file), MAX_LENGTH)?.trim() === name;
  const rebasing = ["rebase-merge/head-name", "rebase-apply/head-name"];
  if (rebasing.some((file) => says(file, `refs/heads/${branch}`))) return "rebase";
  return says("BISECT_START", branch) ? "bisect" : null;
}
