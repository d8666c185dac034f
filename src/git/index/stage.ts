/** Stages everything and writes the staged tree (seed 003 Phase 3, GitService). */
import { err, ok } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { closedFolders, type FilterFailed, filterFailure } from "../process/local-error.ts";
import type { Git, GitOutput, GitTarget } from "../runner/run-git.ts";
import { hugeFiles } from "./huge-files.ts";
import { foreignGitlinks } from "./submodule.ts";

export type StageError =
  | GitError
  | FilterFailed
  /** A submodule's `.git` is not the one that git made. Running git near it could run what an agent planted there. */
  | { readonly kind: "foreign_git_directory"; readonly paths: readonly string[]; readonly message: string }
  /** A name that git takes for its own folder on some file systems, such as `.GIT`. Nothing is added then. */
  | { readonly kind: "disguised_path"; readonly paths: readonly string[]; readonly message: string }
  /** Files of many gigabytes, including sparse ones, that git could not finish in time. */
  | { readonly kind: "file_too_large"; readonly paths: readonly string[]; readonly message: string }
  /** A pipe, a socket or a device in place of a tracked file. */
  | { readonly kind: "special_file"; readonly message: string }
  /** An untracked repository without any commit. `git add` cannot add it. */
  | { readonly kind: "nested_repository"; readonly paths: readonly string[]; readonly message: string };

/** What `git add` skipped without reporting it in its exit code. */
export interface PassedOver {
  /** Folders that git could not read, because of their permissions or because their path is too long. */
  readonly closedFolders: readonly string[];
}

/**
 * `git add -A`. `gitlinks` are the submodules of the start commit (`listGitlinks`), which are checked first. In a
 * sparse checkout, files that the agent made outside the patterns are added too.
 */
export async function stageAll(
  git: Git,
  target: GitTarget,
  options: { readonly gitlinks: readonly string[]; readonly timeoutMs?: number },
): GitAnswer<PassedOver, StageError> {
  const foreign = await foreignGitlinks(target, options.gitlinks);
  if (foreign.length > 0) {
    const message = `the git directory of ${foreign.join(", ")} was replaced`;
    return err({ kind: "foreign_git_directory", paths: foreign, message });
  }
  const limits = {
    lockRetries: 6,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  };
  const added = await git.run(target, ["add", "-A"], limits);
  const passedOver = ({ stderr }: GitOutput) => ({ closedFolders: closedFolders(stderr) });
  if (added.isOk()) return ok(passedOver(added.value));
  if (leftSparsePaths(added.error)) {
    const again = await git.run(target, ["add", "-A", "--sparse"], limits);
    return again.map(passedOver).mapErr(explainAdd);
  }
  return err(
    added.error.kind === "timed_out" ? await explainSlow(git, target, added.error) : explainAdd(added.error),
  );
}

/** Checked only now: most changes hold no such file, and the check would delay every call. */
async function explainSlow(git: Git, target: GitTarget, error: GitError): Promise<StageError> {
  const paths = await hugeFiles(git, target);
  if (paths.length === 0) return error;
  const message = `${paths.join(", ")} is too large for git: storing it takes longer than a call may take`;
  return { kind: "file_too_large", paths, message };
}

/** The tree id of the index. */
export async function writeTree(git: Git, target: GitTarget): GitAnswer<string> {
  const written = await git.run(target, ["write-tree"], { lockRetries: 6 });
  return written.map(({ stdout }) => stdout.trim());
}

function leftSparsePaths(error: GitError): boolean {
  return error.kind === "git_failed" && error.exitCode === 1 && /sparse-checkout/.test(error.stderr);
}

function explainAdd(error: GitError): StageError {
  if (error.kind !== "git_failed") return error;
  const pathsOf = (pattern: RegExp) => [...error.stderr.matchAll(pattern)].flatMap((match) => match[1] ?? []);
  const invalid = pathsOf(/^error: invalid path '(.+)'$/gm);
  if (invalid.length > 0) {
    const message = `${invalid.join(", ")} is git's own folder to some file systems: git does not take it`;
    return { kind: "disguised_path", paths: invalid, message };
  }
  const [special] = pathsOf(/^error: (.+): can only add regular files, symbolic links or git-directories$/gm);
  if (special !== undefined) {
    const message = `${special} is a pipe, a socket or a device now: git takes files, links and folders`;
    return { kind: "special_file", message };
  }
  const nested = pathsOf(/^error: '(.+?)\/?' does not have a commit checked out$/gm);
  if (nested.length === 0) return filterFailure(error) ?? error;
  return { kind: "nested_repository", paths: nested, message: error.message };
}
