/** Lists which files an attempt touched and what it left there, and remembers the answers. */
import type { Result } from "neverthrow";
import type { Results } from "../../domain/decision/comparison.ts";
import { type ChangedFile, type DiffRecord, visitDiff } from "../../git/index/diff-records.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";

export interface TouchedFiles {
  /** A rename is one file. */
  readonly files: readonly Omit<ChangedFile, "previousPath">[];
  /** A rename is two paths. */
  readonly results: Results;
}

type Listed = Promise<Result<TouchedFiles, RemoteError>>;

/** Both sides are named by their full ids, so that the answer for a pair never changes. */
export type ListTouched = (
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
) => Listed;

const MAX_KEPT = 64;
/** A longer list is read again each time, to save memory. */
const MAX_FILES = 10_000;

export function createListTouched(): ListTouched {
  const kept = new Map<string, Listed>();
  return (git, target, range) => {
    const key = [target.gitDir, range.from, range.to].join("\0");
    const listed = kept.get(key) ?? listTouched(git, target, range);
    kept.delete(key);
    kept.set(key, listed);
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    const forget = () => {
      if (kept.get(key) === listed) kept.delete(key);
    };
    listed.then((found) => (found.isErr() || found.value.files.length > MAX_FILES) && forget(), forget);
    return listed;
  };
}

async function listTouched(...[git, target, range]: Parameters<ListTouched>): Listed {
  let touched = { files: [] as TouchedFiles["files"][number][], results: new Map<string, string | null>() };
  const visited = await visitDiff(git, target, range, () => {
    touched = { files: [], results: new Map() };
    let at = 0;
    const { files, results } = touched;
    return {
      record: (record) => {
        files.push({ path: record.path, status: record.status, additions: null, deletions: null });
        if (record.previousPath !== null && record.status === "renamed")
          results.set(record.previousPath, null);
        results.set(record.path, resultOf(record));
      },
      lines: (lines) => {
        while (at < files.length && files[at]?.path !== lines.path) at++;
        const file = files[at];
        if (file !== undefined) files[at++] = { ...file, ...lines };
      },
    };
  });
  return visited.map(() => touched);
}

function resultOf({ status, mode, sha }: DiffRecord): string | null {
  return status === "deleted" ? null : `${mode} ${sha}`;
}
