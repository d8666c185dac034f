/** Remembers answers about trees: a tree never changes, so an answer holds for good. */
import type { Result } from "neverthrow";
import { type LfsFacts, lfsFacts } from "../../git/index/lfs.ts";
import { listGitlinks } from "../../git/index/submodule.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";

export interface KnownTrees {
  readonly gitlinks: Map<string, Promise<Result<readonly string[], GitError>>>;
  readonly lfs: Map<string, Promise<Result<LfsFacts, GitError>>>;
}

/** The git to ask, and the memory for its answers. */
interface Asker {
  readonly git: Git;
  readonly knownTrees: KnownTrees;
}

/** The most trees and commits to remember; the oldest are forgotten. */
const MAX_KNOWN = 256;

export function createKnownTrees(): KnownTrees {
  return { gitlinks: new Map(), lfs: new Map() };
}

/** The submodules of a commit. */
export function gitlinksOf(
  by: Asker,
  target: GitTarget,
  sha: string,
): Promise<Result<readonly string[], GitError>> {
  return remember(by.knownTrees.gitlinks, sha, () => listGitlinks(by.git, target, sha));
}

/** What Git LFS means for the index, whose tree is `tree`. */
export function lfsOf(by: Asker, target: GitTarget, tree: string): Promise<Result<LfsFacts, GitError>> {
  return remember(by.knownTrees.lfs, tree, () => lfsFacts(by.git, target), isFinal);
}

/** The same for an index that was staged on `start`: if no attributes were changed, the answer for `start` holds. */
export function lfsOfStaged(
  by: Asker,
  target: GitTarget,
  change: { readonly tree: string; readonly start: string; readonly paths: readonly string[] },
): Promise<Result<LfsFacts, GitError>> {
  if (change.paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path)))
    return lfsOf(by, target, change.tree);
  return remember(by.knownTrees.lfs, change.tree, () => lfsOf(by, target, change.start), isFinal);
}

/** A program that is missing on the machine may be there the next time. */
function isFinal({ used, installed, configured }: LfsFacts): boolean {
  return !used || (installed && configured);
}

/** Does not keep an answer that failed or may change. */
function remember<T>(
  known: Map<string, Promise<Result<T, GitError>>>,
  key: string,
  ask: () => Promise<Result<T, GitError>>,
  keep: (value: T) => boolean = () => true,
): Promise<Result<T, GitError>> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const answer = ask().then((result) => {
    if (result.isErr() || !keep(result.value)) known.delete(key);
    return result;
  });
  known.set(key, answer);
  const oldest = known.keys().next().value;
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  return answer;
}
