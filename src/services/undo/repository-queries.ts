/** Asks git what an undo needs to know: the commit of a reference, and which branches are checked out. */
import type { Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { isOnRemote } from "../../git/refs/held-elsewhere.ts";
import { listRefs, type Ref } from "../../git/refs/refs.ts";
import { listWorktrees, type RegisteredWorktree } from "../../git/worktree/worktree-list.ts";
import type { Uses } from "../core/context-parts.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export interface RepositoryQueries {
  /** Null if the reference does not exist. */
  ref(name: string): Promise<Result<Ref | null, GitError>>;
  worktrees(): Promise<Result<readonly RegisteredWorktree[], GitError>>;
  /** Whether a branch of a remote, as last seen, holds the commit. */
  onRemote(commit: string): Promise<Result<boolean, GitError>>;
}

/** Asks git for each question separately. */
export function queryEach(context: Uses<"git">, repository: Repository): RepositoryQueries {
  const target = repositoryTarget(repository);
  return {
    ref: async (name) => {
      const refs = await listRefs(context.git, target, { prefixes: [name] });
      return refs.map((all) => all.find((each) => each.name === name) ?? null);
    },
    worktrees: () => listWorktrees(context.git, target),
    onRemote: (commit) => isOnRemote(context.git, target, commit),
  };
}

/** Asks git once for all questions, for any number of references: for a page of a list. */
export function queryOnce(context: Uses<"git">, repository: Repository): RepositoryQueries {
  const target = repositoryTarget(repository);
  let refs: ReturnType<typeof listRefs> | null = null;
  let worktrees: ReturnType<typeof listWorktrees> | null = null;
  return {
    ref: async (name) => {
      refs ??= listRefs(context.git, target);
      return (await refs).map((all) => all.find((each) => each.name === name) ?? null);
    },
    worktrees: () => {
      worktrees ??= listWorktrees(context.git, target);
      return worktrees;
    },
    onRemote: (commit) => isOnRemote(context.git, target, commit),
  };
}
