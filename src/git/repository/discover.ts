/** Finds the repository of a path that the user named, and its kind. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface DiscoveredRepository {
  /** Real path of the top level of the checkout, or of the bare repository. */
  readonly path: string;
  /** Real path of this checkout's own git directory. */
  readonly gitDir: string;
  /** Real path of the directory that holds objects and refs. It differs from `gitDir` only in a linked worktree. */
  readonly commonDir: string;
  readonly bare: boolean;
  /** The checkout is itself a linked worktree. */
  readonly linkedWorktree: boolean;
  readonly shallow: boolean;
  /** A partial clone: objects are fetched when they are first needed. */
  readonly partial: boolean;
  readonly sparse: boolean;
  /** HEAD has a `.gitmodules`. */
  readonly hasSubmodules: boolean;
  readonly objectFormat: "sha1" | "sha256";
  /** There is no commit: HEAD is unborn, and no branch exists, neither local nor remote. */
  readonly empty: boolean;
}

export type DiscoverError =
  | GitError
  | { readonly kind: "not_a_repository"; readonly path: string; readonly message: string }
  /** The path has a line break, and git answers with one path a line. */
  | { readonly kind: "unusable_path"; readonly path: string; readonly message: string }
  /** Git refuses a repository of another user (`safe.directory`). */
  | { readonly kind: "unsafe_ownership"; readonly path: string; readonly message: string };

/** The repository of a path: a checkout, a folder in it, its `.git`, a linked worktree, or a bare repository. */
export async function discoverRepository(
  git: Git,
  path: string,
): GitAnswer<DiscoveredRepository, DiscoverError> {
  const directory = await realDirectory(path);
  if (directory === null) return err(notARepository(path, `${path} is not a folder`));
  if (directory.includes("\n"))
    return err({ kind: "unusable_path", path, message: `${path} has a line break in its name` });
  const places = await findPlaces(git, directory);
  if (places.isErr()) return err(places.error);
  const facts = await readKind(git, places.value);
  return facts.map((kind) => ({ ...places.value, ...kind }));
}

/** The target of calls about the whole repository. Sparse patterns are those of the user's checkout. */
function repositoryTarget(repository: { readonly gitDir: string }): GitTarget {
  return { gitDir: repository.gitDir, workTree: null };
}

type Places = Pick<
  DiscoveredRepository,
  "path" | "gitDir" | "commonDir" | "bare" | "linkedWorktree" | "shallow" | "objectFormat"
>;

async function realDirectory(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  return (await stat(real)).isDirectory() ? real : dirname(real);
}

const QUESTIONS = [
  "--is-bare-repository",
  "--is-inside-git-dir",
  "--is-shallow-repository",
  "--show-object-format",
  "--absolute-git-dir",
  "--git-common-dir",
];

async function findPlaces(git: Git, directory: string): GitAnswer<Places, DiscoverError> {
  const ask = (...questions: readonly string[]) =>
    git.discover(directory, ["rev-parse", "--path-format=absolute", ...QUESTIONS, ...questions], {
      // The user named this folder, so a bare repository there is meant.
      config: { "safe.bareRepository": "all" },
    });
  const inCheckout = await ask("--show-toplevel");
  // Without a work tree the last question fails, so the others are asked alone.
  const answered = inCheckout.isErr() && hasNoWorkTree(inCheckout.error) ? await ask() : inCheckout;
  if (answered.isErr()) return err(refusal(directory, answered.error));
  const [bare, insideGitDir, shallow, format, gitDir = "", commonDir = "", top = ""] =
    answered.value.stdout.split("\n");
  if (bare !== "true" && insideGitDir === "true") return fromGitDir(git, directory, commonDir);
  const [realGitDir, realCommonDir, path] = await Promise.all(
    [gitDir, commonDir, bare === "true" ? commonDir : top].map((one) => realpath(one)),
  );
  return ok({
    path: path ?? top,
    gitDir: realGitDir ?? gitDir,
    commonDir: realCommonDir ?? commonDir,
    bare: bare === "true",
    linkedWorktree: realGitDir !== realCommonDir,
    shallow: shallow === "true",
    objectFormat: format === "sha256" ? "sha256" : "sha1",
  });
}

function hasNoWorkTree(error: GitError): boolean {
  return error.kind === "git_failed" && /must be run in a work tree/.test(error.stderr);
}

/** The user named the `.git` folder itself, so its checkout is meant. */
async function fromGitDir(git: Git, directory: string, commonDir: string): GitAnswer<Places, DiscoverError> {
  if (basename(commonDir) === ".git") return findPlaces(git, dirname(commonDir));
  return err(notARepository(directory, `${directory} is inside a git directory, not in a checkout`));
}

type Kind = Pick<DiscoveredRepository, "partial" | "sparse" | "hasSubmodules" | "empty">;

async function readKind(git: Git, places: Places): GitAnswer<Kind> {
  const target = repositoryTarget(places);
  const keys = "^(remote\\..*\\.promisor|extensions\\.partialclone|core\\.sparsecheckout)$";
  const [config, head] = await Promise.all([
    git.run(target, ["config", "--null", "--get-regexp", keys], { expect: [0, 1] }),
    git.run(target, ["cat-file", "--batch-check"], { stdin: "HEAD^{commit}\nHEAD:.gitmodules\n" }),
  ]);
  if (config.isErr()) return err(config.error);
  if (head.isErr()) return err(head.error);
  const [commit = "", modules = ""] = head.value.stdout.split("\n");
  const empty = isObject(commit) ? ok(false) : await hasNoBranch(git, target);
  return empty.map((isEmptyRepository) => ({
    partial: /^(remote\..*\.promisor\ntrue|extensions\.partialclone\n)/im.test(
      config.value.stdout.replaceAll("\0", "\n"),
    ),
    sparse: /^core\.sparsecheckout\ntrue/im.test(config.value.stdout.replaceAll("\0", "\n")),
    hasSubmodules: isObject(modules),
    empty: isEmptyRepository,
  }));
}

/** ID, kind, size. What is not there is followed by one word. */
const isObject = (line: string): boolean => /^[0-9a-f]+ [a-z]+ \d+$/.test(line);

async function hasNoBranch(git: Git, target: GitTarget): GitAnswer<boolean> {
  const refs = await git.run(target, ["for-each-ref", "--count=1", "refs/heads", "refs/remotes"]);
  return refs.map(({ stdout }) => stdout === "");
}

function refusal(path: string, error: GitError): DiscoverError {
  if (error.kind !== "git_failed") return error;
  if (/dubious ownership|unsafe repository/.test(error.stderr))
    return { kind: "unsafe_ownership", path, message: error.message };
  if (/not a git repository|must be run in a work tree/i.test(error.stderr))
    return notARepository(path, error.message);
  return error;
}

function notARepository(path: string, message: string): DiscoverError {
  return { kind: "not_a_repository", path, message };
}
