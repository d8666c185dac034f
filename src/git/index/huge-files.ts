/** Finds files that git would take longer to store than a call may take. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/** Git compresses some thirty megabytes a second, and a call has two minutes. */
const HUGE_BYTES = 4 * 1024 ** 3;
/** How many files are checked at the same time. */
const AT_ONCE = 64;

/**
 * New and changed files of the worktree, by their apparent size: a sparse file costs git as much. Empty if git cannot
 * list them.
 */
export async function hugeFiles(
  git: Git,
  target: GitTarget,
  options: { readonly extraEnv?: Readonly<Record<string, string>> } = {},
): Promise<readonly string[]> {
  const { workTree } = target;
  if (workTree === null) return [];
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  const listed = await listFields(git, target, args, options);
  const left = new Set(listed.unwrapOr([])).values();
  const huge: string[] = [];
  const look = async () => {
    for (const path of left) if (await isHuge(join(workTree, path))) huge.push(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return huge.sort();
}

function isHuge(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile() && found.size > HUGE_BYTES,
    () => false,
  );
}
