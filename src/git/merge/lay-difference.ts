/** Writes the difference of two trees into a worktree as uncommitted changes: all of it, or nothing. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, safeTry } from "neverthrow";
import { listStaged, type StagedEntry } from "../index/list-staged.ts";
import { copyIndex } from "../index/whole-index.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";
import { blockingPaths } from "../worktree/put-tree.ts";

export type LayError =
  | RemoteError
  /** Files that git does not track, or ignores, are where the difference has files. */
  | { readonly kind: "in_the_way"; readonly paths: readonly string[]; readonly message: string }
  /** A sparse checkout leaves these out, so that they could not be seen as changes. */
  | { readonly kind: "outside_sparse"; readonly paths: readonly string[]; readonly message: string }
  /** The commit of a submodule is no file. */
  | { readonly kind: "submodule"; readonly paths: readonly string[]; readonly message: string };

export type Worktree = GitTarget & { readonly workTree: string };

/** `from` is the tree of HEAD, and of the index. */
export interface Difference {
  readonly from: string;
  readonly to: string;
}

/** Looks first whether the whole of it can be written. The paths, sorted. */
export async function mayLay(
  git: Git,
  target: Worktree,
  difference: Difference,
): GitAnswer<readonly string[], LayError> {
  return safeTry(async function* () {
    const { entries } = yield* await listStaged(git, target, difference);
    const gitlinks = entries.filter(({ mode, previousMode }) => mode === GITLINK || previousMode === GITLINK);
    if (gitlinks.length > 0) return err(cannot("submodule", gitlinks));
    const outside = yield* await leftOut(git, target, { ...difference, entries });
    if (outside.length > 0) return err(cannot("outside_sparse", outside));
    const blocking = yield* await blockingPaths(git, target, difference.to);
    if (blocking.length > 0)
      return err(
        cannot(
          "in_the_way",
          blocking.map((path) => ({ path })),
        ),
      );
    return ok(entries.map(({ path }) => path));
  });
}

const GITLINK = "160000";

function cannot<K extends "submodule" | "outside_sparse" | "in_the_way">(
  kind: K,
  entries: readonly { readonly path: string }[],
) {
  const paths = entries.map(({ path }) => path);
  return { kind, paths, message: `${paths.slice(0, 5).join(", ")}` };
}

/**
 * The paths that a sparse checkout would not show. Git marks them in an index while it writes the files, so it writes
 * them into an empty folder.
 */
async function leftOut(
  git: Git,
  target: Worktree,
  { from, to, entries }: Difference & { readonly entries: readonly StagedEntry[] },
): GitAnswer<readonly StagedEntry[]> {
  const sparse = await git.run(target, ["config", "--type=bool", "--get", "core.sparseCheckout"], {
    expect: [0, 1],
  });
  if (sparse.isErr()) return err(sparse.error);
  if (sparse.value.stdout.trim() !== "true") return ok([]);
  return withScratch(git, "apply", async (folder) => {
    const extraEnv = { GIT_INDEX_FILE: join(folder, "index") };
    const aside = { ...target, workTree: join(folder, "files") };
    await mkdir(aside.workTree);
    await copyIndex(target, extraEnv.GIT_INDEX_FILE);
    const skipped = () => listFields(git, aside, ["ls-files", "-t", "-z"], { extraEnv, keep: isSkipped });
    return safeTry(async function* () {
      const before = yield* await skipped();
      yield* await git.run(aside, ["read-tree", "-m", "-u", from, to], { access: "objects", extraEnv });
      const after = yield* await skipped();
      const out = new Set([...before, ...after].map((line) => line.slice(2)));
      return ok(entries.filter(({ path }) => out.has(path)));
    });
  });
}

function isSkipped(line: string): boolean {
  return line.startsWith("S ");
}

/** `read-tree -m -u`, which refuses as a whole; then the index goes back to HEAD. */
export async function layDifference(
  git: Git,
  target: Worktree,
  { from, to, paths }: Difference & { readonly paths: readonly string[] },
): GitAnswer<void, LayError> {
  const laid = await git.run(target, ["read-tree", "-m", "-u", from, to], {
    access: "objects",
    lockRetries: 6,
  });
  if (laid.isOk()) return unstagePaths(git, target, paths);
  const { error } = laid;
  if (error.kind !== "git_failed" || !REFUSED.test(error.stderr)) return err(asRemoteError(error));
  return err({ kind: "in_the_way", paths: [], message: error.message });
}

const REFUSED = /not uptodate|would be overwritten|would be removed|would lose untracked/;

/** Only the index is changed, and only at these paths. */
export async function unstagePaths(git: Git, target: Worktree, paths: readonly string[]): GitAnswer<void> {
  const args = ["reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const options = { stdin: toNul(paths), extraEnv: { GIT_LITERAL_PATHSPECS: "1" }, lockRetries: 28 };
  return (await git.run(target, args, options)).map(() => undefined);
}
