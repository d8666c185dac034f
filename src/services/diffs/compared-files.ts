/** Remembers which files differ in a comparison, so that a page or a file costs one look. */
import type { Result } from "neverthrow";
import { diffFiles } from "../../git/index/diff.ts";
import type { ChangedFile } from "../../git/index/diff-records.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";

type Listed = Promise<Result<readonly ChangedFile[], RemoteError>>;

/**
 * The files that differ between two commits or trees, both named by their full ids. The answer for such a pair never
 * changes.
 */
export type ComparedFiles = (
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
) => Listed;

const MAX_COMPARISONS = 4;
/** The most files of one comparison to remember. A longer list is read again each time, to save memory. */
const MAX_FILES = 100_000;

export function createComparedFiles(): ComparedFiles {
  // The most recently used comparison comes last.
  const kept = new Map<string, Listed>();
  return (git, target, range) => {
    const key = [target.gitDir, range.from, range.to].join("\0");
    const listed = kept.get(key) ?? diffFiles(git, target, range);
    kept.delete(key);
    kept.set(key, listed);
    for (const oldest of kept.keys()) if (kept.size > MAX_COMPARISONS) kept.delete(oldest);
    const forget = () => {
      if (kept.get(key) === listed) kept.delete(key);
    };
    listed.then((found) => (found.isErr() || found.value.length > MAX_FILES) && forget(), forget);
    return listed;
  };
}
