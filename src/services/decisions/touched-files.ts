/** Lists which files an attempt touched and what it left there, and remembers the answers. */
import type { Result } from "neverthrow";
import type { Results } from "../../domain/decision/comparison.ts";
import { type ChangedFile, type DiffRecord, visitDiff } from "../../git/index/diff-records.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { keepAnswers } from "../diffs/kept-answers.ts";

export interface TouchedFiles {
  /** A rename is one file. */
  readonly files: readonly Omit<ChangedFile, "previousPath">[];
  /** A rename is two paths. */
  readonly results: Results;
}

const MAX_KEPT = 64;
const MAX_FILES = 10_000;

export type ListTouched = ReturnType<typeof createListTouched>;

export const createListTouched = () =>
  keepAnswers(listTouched, { most: MAX_KEPT, isTooLong: ({ files }) => files.length > MAX_FILES });

async function listTouched(
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
): Promise<Result<TouchedFiles, RemoteError>> {
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
