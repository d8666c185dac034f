/** Clears the marks in an index by which git takes a file for unchanged without looking at it (`--assume-unchanged`, `--skip-worktree`). */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { listFields } from "./each-field.ts";
import type { GitError } from "./git-error.ts";
import { toNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** The paths that had one. A file that is not there keeps its mark: a sparse checkout leaves it out by that. */
export async function clearIndexFlags(
  git: Git,
  target: GitTarget,
  { index }: { readonly index?: string } = {},
): Promise<Result<readonly string[], GitError>> {
  const extraEnv = index === undefined ? {} : { GIT_INDEX_FILE: index };
  const keep = (entry: string) => /^[a-zS]/.test(entry);
  const listed = await listFields(git, target, ["ls-files", "-v", "-z"], { extraEnv, keep });
  if (listed.isErr()) return err(listed.error);
  const marked: string[] = [];
  for (const entry of listed.value) if (await isThere(target, entry.slice(2))) marked.push(entry.slice(2));
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

function isThere({ workTree }: GitTarget, path: string): Promise<boolean> {
  return lstat(join(workTree ?? "", path)).then(
    () => true,
    () => false,
  );
}
