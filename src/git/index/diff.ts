/**
 * Compares the index with HEAD, or two trees: as a patch, and as files with their line counts (seed 003 Phase 3,
 * GitService).
 */
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import {
  argumentsOf,
  type ChangedFile,
  type Comparison,
  type DiffRecord,
  PLAIN,
  STEADY,
  visitDiff,
} from "./diff-records.ts";

/**
 * Writes the unified diff to a file, byte for byte, without a size limit. `paths` limits the diff; default all paths.
 */
export async function diffPatchToFile(
  git: Git,
  target: GitTarget,
  options: { readonly comparison: Comparison; readonly file: string; readonly paths?: readonly string[] },
): GitAnswer<void, RemoteError> {
  const { paths = [] } = options;
  const made = await git.run(target, [...argumentsOf(options.comparison), ...PLAIN, ...paths], {
    access: "objects",
    config: STEADY,
    stdoutFile: options.file,
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
  });
  return made.mapErr(asRemoteError).map(() => undefined);
}

/** Every changed file in git's order, with the lines it gained and lost. */
export async function diffFiles(
  git: Git,
  target: GitTarget,
  comparison: Comparison,
): GitAnswer<readonly ChangedFile[], RemoteError> {
  let files: ChangedFile[] = [];
  const visited = await visitDiff(git, target, comparison, () => {
    files = [];
    let at = 0;
    return {
      record: ({ path, previousPath, status }) =>
        files.push({ path, previousPath, status, additions: null, deletions: null }),
      lines: (lines) => {
        while (at < files.length && files[at]?.path !== lines.path) at++;
        const file = files[at];
        if (file !== undefined) files[at++] = { ...file, ...lines };
      },
    };
  });
  return visited.map(() => files);
}

/** The same files with modes and object ids in place of lines. */
export async function diffRecords(
  git: Git,
  target: GitTarget,
  comparison: Comparison,
): GitAnswer<readonly DiffRecord[], RemoteError> {
  let records: DiffRecord[] = [];
  const visited = await visitDiff(git, target, comparison, () => {
    records = [];
    return { record: (record) => records.push(record), lines: () => {} };
  });
  return visited.map(() => records);
}
