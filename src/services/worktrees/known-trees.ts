/** Remembers what was found out about trees: they never change, so an answer holds for good. */
import type { Result } from "neverthrow";
import type { GitError } from "../../git/git-error.ts";
import { type LfsFacts, lfsFacts } from "../../git/lfs.ts";
import type { Git, GitTarget } from "../../git/run-git.ts";
import { listGitlinks } from "../../git/submodule.ts";

export interface KnownTrees {
  readonly gitlinks: Map<string, Promise<Result<readonly string[], GitError>>>;
  readonly lfs: Map<string, Promise<Result<LfsFacts, GitError>>>;
}

/** Who asks git, and remembers. */
interface Asker {
  readonly git: Git;
  readonly knownTrees: KnownTrees;
}

/** Trees and commits that are remembered at once; the oldest are forgotten. */
const MOST_KNOWN = 256;

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

/** The same for an index that was staged on `start`: where no attributes were changed, what holds there holds here. */
export function lfsOfStaged(
  by: Asker,
  target: GitTarget,
  of: { readonly tree: string; readonly start: string; readonly paths: readonly string[] },
): Promise<Result<LfsFacts, GitError>> {
  if (of.paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path))) return lfsOf(by, target, of.tree);
  return remember(by.knownTrees.lfs, of.tree, () => lfsOf(by, target, of.start), isFinal);
}

/** What is missing on the machine may be there the next time. */
function isFinal({ used, installed, configured }: LfsFacts): boolean {
  return !used || (installed && configured);
}

/** An answer that failed or may change is not kept. */
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
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return answer;
}
