/** Compares the index with HEAD, and trees with trees: as a patch, and as a list of files with their numbers. */
import type { Result } from "neverthrow";
import { argumentsOf, type ChangedFile, type Comparison, PLAIN, STEADY, visitDiff } from "./diff-records.ts";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

export type { ChangedFile, Comparison } from "./diff-records.ts";

/** The unified diff, at most `maxBytes` of it. */
export async function diffPatch(
  git: Git,
  target: GitTarget,
  options: { readonly of: Comparison; readonly maxBytes: number },
): Promise<Result<{ readonly patch: string; readonly truncated: boolean }, RemoteError>> {
  const made = await git.run(target, [...argumentsOf(options.of), ...PLAIN], {
    access: "objects",
    config: STEADY,
    maxOutputBytes: options.maxBytes,
    overflow: "cut",
  });
  return made.mapErr(asRemoteError).map(({ stdout, truncated }) => ({ patch: stdout, truncated }));
}

/** Writes the unified diff to a file, byte for byte and whatever its size. */
export async function diffPatchToFile(
  git: Git,
  target: GitTarget,
  options: { readonly of: Comparison; readonly file: string },
): Promise<Result<void, RemoteError>> {
  const made = await git.run(target, [...argumentsOf(options.of), ...PLAIN], {
    access: "objects",
    config: STEADY,
    stdoutFile: options.file,
  });
  return made.mapErr(asRemoteError).map(() => undefined);
}

/** Every changed file with the lines it gained and lost, in git's order. */
export async function diffFiles(
  git: Git,
  target: GitTarget,
  of: Comparison,
): Promise<Result<readonly ChangedFile[], RemoteError>> {
  let files: ChangedFile[] = [];
  const visited = await visitDiff(git, target, of, () => {
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
