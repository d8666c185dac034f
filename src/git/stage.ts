/** Stages everything, lists what is staged, takes paths out again, and writes the staged tree. */
import { err, ok, type Result } from "neverthrow";
import { closedFolders } from "./closed-folders.ts";
import { type ChangedFile, type Comparison, type DiffRecord, diffRecords } from "./diff.ts";
import { type FilterFailed, filterFailure } from "./filter-failure.ts";
import type { GitError } from "./git-error.ts";
import { hugeFiles } from "./huge-files.ts";
import { fromNul, toNul } from "./nul-list.ts";
import { blobSizes } from "./read-blobs.ts";
import type { RemoteError } from "./remote-error.ts";
import type { Git, GitOutput, GitTarget } from "./run-git.ts";
import { foreignGitlinks } from "./submodule.ts";

export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface StagedEntry {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed" | "unmerged";
  /** Null for a deleted file. `160000` is a submodule or nested repository, `120000` a symbolic link. */
  readonly mode: FileMode | null;
  readonly previousMode: FileMode | null;
  /** The blob (or, for `160000`, the commit); null for a deleted file. */
  readonly sha: string | null;
  /** The same in HEAD; null where it has none. */
  readonly previousSha: string | null;
  /** Bytes of the blob as git stores it; null where there is none. */
  readonly size: number | null;
}

export type StageError =
  | GitError
  | FilterFailed
  /** A submodule's `.git` is not the one git made: running git near it could run what an agent planted there. */
  | { readonly kind: "foreign_git_directory"; readonly paths: readonly string[]; readonly message: string }
  /** A name that git takes for its own folder on some file system, such as `.GIT`: it adds nothing then. */
  | { readonly kind: "disguised_path"; readonly paths: readonly string[]; readonly message: string }
  /** Files of many gigabytes, sparse ones too, which git did not come to the end of. */
  | { readonly kind: "file_too_large"; readonly paths: readonly string[]; readonly message: string }
  /** An untracked repository without any commit, which `git add` cannot take. */
  | { readonly kind: "nested_repository"; readonly paths: readonly string[]; readonly message: string };

/** What `git add` passed over without a word in its exit code. */
export interface PassedOver {
  /** Folders that it could not look into: by their permissions, or because their path is too long. */
  readonly closedFolders: readonly string[];
}

/**
 * `git add -A`. `gitlinks` are the submodules of the start commit (`listGitlinks`), which are looked at first. In a sparse
 * checkout, files that the agent made outside the patterns are added too.
 */
export async function stageAll(
  git: Git,
  target: GitTarget,
  options: { readonly gitlinks: readonly string[]; readonly timeoutMs?: number },
): Promise<Result<PassedOver, StageError>> {
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

/** Looked for only now: most changes hold no such file, and everybody would wait for the look. */
async function explainSlow(git: Git, target: GitTarget, error: GitError): Promise<StageError> {
  const paths = await hugeFiles(git, target);
  if (paths.length === 0) return error;
  const message = `${paths.join(", ")} is too large for git: storing it takes longer than a call may take`;
  return { kind: "file_too_large", paths, message };
}

/** Takes paths out of the index again, as HEAD has them; files stay. Proves that none of them is staged any more. */
export async function unstage(
  git: Git,
  target: GitTarget,
  paths: readonly string[],
): Promise<
  Result<
    void,
    GitError | { readonly kind: "still_staged"; readonly paths: readonly string[]; readonly message: string }
  >
> {
  if (paths.length === 0) return ok(undefined);
  const args = ["reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const reset = await git.run(target, args, {
    stdin: toNul(paths),
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
    lockRetries: 6,
  });
  if (reset.isErr()) return err(reset.error);
  const staged = await git.run(target, [...DIFF_STAGED, "--name-only", "-z", "--"]);
  if (staged.isErr()) return err(staged.error);
  const left = new Set(fromNul(staged.value.stdout));
  const still = paths.filter((path) => left.has(path));
  if (still.length === 0) return ok(undefined);
  return err({ kind: "still_staged", paths: still, message: `could not be taken out: ${still.join(", ")}` });
}

/** The tree id of the index. */
export async function writeTree(git: Git, target: GitTarget): Promise<Result<string, GitError>> {
  const written = await git.run(target, ["write-tree"], { lockRetries: 6 });
  return written.map(({ stdout }) => stdout.trim());
}

/** What is staged, twice: path by path, and as a person would be shown it. */
export interface Staged {
  /** Sorted by path; a rename is a deletion and an addition. */
  readonly entries: readonly StagedEntry[];
  /** In git's order, with lines; a rename is one file. */
  readonly files: readonly ChangedFile[];
}

/** Everything that differs between HEAD and the index, or between two trees: those stay as they are, whoever writes the index. */
export async function listStaged(
  git: Git,
  target: GitTarget,
  of: Comparison = "staged",
): Promise<Result<Staged, RemoteError>> {
  const records = await diffRecords(git, target, of);
  if (records.isErr()) return err(records.error);
  const entries = records.value.flatMap(entriesOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  const blobs = entries.flatMap(({ sha, mode }) => (sha !== null && mode !== "160000" ? [sha] : []));
  const sizes = await blobSizes(git, target, blobs);
  return sizes.map((known) => ({
    entries: entries.map((entry) => ({
      ...entry,
      size: entry.sha === null ? null : (known.get(entry.sha) ?? null),
    })),
    files: records.value.map(({ file }) => file),
  }));
}

const DIFF_STAGED = [
  "diff",
  "HEAD",
  "--cached",
  "--no-renames",
  "--ignore-submodules=none",
  "--no-ext-diff",
  "--no-textconv",
];

type Unsized = Omit<StagedEntry, "size">;

function entriesOf({ file, previousMode, mode, previousSha, sha }: DiffRecord): Unsized[] {
  const { path, previousPath, status } = file;
  const before = { previousMode: modeOf(previousMode), previousSha: idOf(previousSha) };
  const none = { previousMode: null, previousSha: null };
  const now = { mode: modeOf(mode), sha: idOf(sha) };
  switch (status) {
    case "renamed":
      return [
        { path: previousPath ?? "", status: "deleted", mode: null, sha: null, ...before },
        { path, status: "added", ...none, ...now },
      ];
    case "copied":
      return [{ path, status: "added", ...none, ...now }];
    default:
      return [{ path, status, ...before, ...now }];
  }
}

function idOf(sha: string): string | null {
  return /^0+$/.test(sha) ? null : sha;
}

function modeOf(mode: string): FileMode | null {
  switch (mode) {
    case "100644":
    case "100755":
    case "120000":
    case "160000":
      return mode;
    default:
      return null;
  }
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
  const nested = pathsOf(/^error: '(.+?)\/?' does not have a commit checked out$/gm);
  if (nested.length === 0) return filterFailure(error) ?? error;
  return { kind: "nested_repository", paths: nested, message: error.message };
}
