/** Finds files that git would take longer to store than a call may take. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** Git compresses some thirty megabytes a second, and a call has two minutes. */
const HUGE_BYTES = 4 * 1024 ** 3;

/** New and changed ones of the worktree, by their size on paper: a sparse file costs git as much. None where git cannot list them. */
export async function hugeFiles(
  git: Git,
  target: GitTarget,
  options: { readonly extraEnv?: Readonly<Record<string, string>> } = {},
): Promise<readonly string[]> {
  const { workTree } = target;
  if (workTree === null) return [];
  const listed = await git.run(
    target,
    ["ls-files", "--others", "--modified", "--exclude-standard", "-z"],
    options,
  );
  const huge: string[] = [];
  for (const path of listed.isErr() ? [] : new Set(fromNul(listed.value.stdout))) {
    const size = await lstat(join(workTree, path)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
    if (size > HUGE_BYTES) huge.push(path);
  }
  return huge;
}
