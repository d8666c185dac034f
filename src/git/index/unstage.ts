/** Removes paths from the index, and proves that none of them is staged any more. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

type UnstageError =
  | GitError
  | { readonly kind: "still_staged"; readonly paths: readonly string[]; readonly message: string };

/** The index has these paths as HEAD has them; files stay as they are. */
export async function unstage(
  git: Git,
  target: GitTarget,
  paths: readonly string[],
): GitAnswer<void, UnstageError> {
  return safeTry(async function* () {
    if (paths.length === 0) return ok(undefined);
    const added = yield* await staged(git, target, ["--diff-filter=A"]);
    yield* await forget(
      git,
      target,
      paths.filter((path) => added.has(path)),
    );
    yield* await resetPaths(
      git,
      target,
      paths.filter((path) => !added.has(path)),
    );
    const left = yield* await staged(git, target, []);
    return stillStaged(paths.filter((path) => left.has(path)));
  });
}

/** Makes the whole index equal to HEAD; files stay as they are, and a merge stays in progress. */
export async function unstageAll(git: Git, target: GitTarget): GitAnswer<void, UnstageError> {
  const reset = await git.run(target, ["reset", "--quiet", "--", ":/"], { lockRetries: 6 });
  if (reset.isErr()) return err(reset.error);
  const left = await staged(git, target, []);
  return left.isErr() ? err(left.error) : stillStaged([...left.value]);
}

/**
 * HEAD has none of these paths, so nothing is restored. `reset` would compare each path of the index with each of
 * these: a hundred thousand times a hundred thousand. The last paths go first, because git moves up everything after
 * a removed entry.
 */
async function forget(git: Git, target: GitTarget, paths: readonly string[]): GitAnswer<void> {
  if (paths.length === 0) return ok(undefined);
  const args = ["update-index", "--force-remove", "-z", "--stdin"];
  const removed = await git.run(target, args, { stdin: toNul(paths.toReversed()), lockRetries: 6 });
  return removed.map(() => undefined);
}

async function resetPaths(git: Git, target: GitTarget, paths: readonly string[]): GitAnswer<void> {
  if (paths.length === 0) return ok(undefined);
  const args = ["reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const reset = await git.run(target, args, {
    stdin: toNul(paths),
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
    lockRetries: 6,
  });
  return reset.map(() => undefined);
}

async function staged(
  git: Git,
  target: GitTarget,
  filter: readonly string[],
): GitAnswer<ReadonlySet<string>> {
  const listed = await listFields(git, target, [...DIFF_STAGED, ...filter, "--name-only", "-z", "--"]);
  return listed.map((paths) => new Set(paths));
}

const DIFF_STAGED = [
  ...["diff", "HEAD", "--cached", "--no-renames"],
  ...["--ignore-submodules=none", "--no-ext-diff", "--no-textconv"],
];

function stillStaged(paths: readonly string[]): Result<void, UnstageError> {
  if (paths.length === 0) return ok(undefined);
  const named = paths.slice(0, 20).join(", ");
  return err({ kind: "still_staged", paths, message: `could not be taken out: ${named}` });
}
