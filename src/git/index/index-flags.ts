/** Clears the index flags that make git treat a file as unchanged (`--assume-unchanged`, `--skip-worktree`). */
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { isThere } from "../../utils/files/is-there.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/**
 * The paths that had a flag. A missing file keeps its flag, because a sparse checkout uses it to leave the file out.
 */
export async function clearIndexFlags(
  git: Git,
  target: GitTarget,
  { index }: { readonly index?: string } = {},
): GitAnswer<readonly string[]> {
  const extraEnv = index === undefined ? {} : { GIT_INDEX_FILE: index };
  // `ls-files -v` marks `assume-unchanged` by a small letter, and `skip-worktree` by `S`.
  const keep = (entry: string) => /^[a-zS]/.test(entry);
  const listed = await listFields(git, target, ["ls-files", "-v", "-z"], { extraEnv, keep });
  if (listed.isErr()) return err(listed.error);
  const marked = await pathsThere(
    target,
    listed.value.map((entry) => entry.slice(2)),
  );
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

/** The paths that exist in the worktree. A sparse one leaves some out. */
export async function pathsThere(
  { workTree }: GitTarget,
  paths: readonly string[],
): Promise<readonly string[]> {
  const there: string[] = [];
  for (const path of paths) if (await isThere(join(workTree ?? "", path))) there.push(path);
  return there;
}
