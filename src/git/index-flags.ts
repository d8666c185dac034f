/** Clears the marks in an index by which git takes a file for unchanged without looking at it (`--assume-unchanged`, `--skip-worktree`). */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul, toNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** The paths that had one. A file that is not there keeps its mark: a sparse checkout leaves it out by that. */
export async function clearIndexFlags(
  git: Git,
  target: GitTarget,
  { index }: { readonly index?: string } = {},
): Promise<Result<readonly string[], GitError>> {
  const extraEnv = index === undefined ? {} : { GIT_INDEX_FILE: index };
  const listed = await git.run(target, ["ls-files", "-v", "-z"], { extraEnv, maxOutputBytes: MOST_BYTES });
  if (listed.isErr()) return err(listed.error);
  const marked: string[] = [];
  for (const entry of fromNul(listed.value.stdout))
    if (/^[a-zS]/.test(entry) && (await isThere(target, entry.slice(2)))) marked.push(entry.slice(2));
  if (marked.length === 0) return ok([]);
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"]) {
    const cleared = await git.run(target, ["update-index", flag, "-z", "--stdin"], {
      stdin: toNul(marked),
      extraEnv,
      lockRetries: 6,
    });
    if (cleared.isErr()) return err(cleared.error);
  }
  return ok(marked);
}

const MOST_BYTES = 1024 ** 3;

function isThere({ workTree }: GitTarget, path: string): Promise<boolean> {
  return lstat(join(workTree ?? "", path)).then(
    () => true,
    () => false,
  );
}
