/** Lets a clone follow the default branch of its remote, with its settings, since no person looks after it. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { branchHolder } from "../../git/merge/branch-holder.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { pointDefaultAt } from "../../git/refs/default-branch.ts";
import { readRef, updateRef } from "../../git/refs/refs.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import { symrefHead } from "../../git/remote/ls-remote.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { bringSettings } from "./settings-of-clone.ts";

/** The remote of a clone. */
export const CLONED_AS = "origin";

/** Call it after a fetch, under the repository's lock. May be repeated. */
export async function followDefault(
  git: Git,
  repository: Pick<Repository, "path" | "commonDir">,
): Promise<Result<void, RemoteError>> {
  return safeTry(async function* () {
    const target = repositoryTarget(repository);
    const branch = yield* await symrefHead(git, target, CLONED_AS);
    const to = branch && (yield* await readRef(git, target, `refs/remotes/${CLONED_AS}/${branch}^{commit}`));
    if (branch && to) {
      yield* await pointDefaultAt(git, target, { remote: CLONED_AS, branch });
      yield* await fastForwardHere(git, target, { branch, to });
    }
    return bringSettings(git, repository);
  });
}

/**
 * The local branch of the same name, into which attempts are merged. One with commits that the remote lacks stays, and
 * so does one that a worktree holds.
 */
async function fastForwardHere(
  git: Git,
  target: GitTarget,
  { branch, to }: { readonly branch: string; readonly to: string },
): Promise<Result<void, GitError>> {
  return safeTry(async function* () {
    const ref = `refs/heads/${branch}`;
    const from = yield* await readRef(git, target, `${ref}^{commit}`);
    if (from === to || (yield* await branchHolder(git, target, branch)) !== null) return ok(undefined);
    const isBehind =
      from === null || (yield* await isAncestor(git, target, { ancestor: from, descendant: to }));
    if (!isBehind) return ok(undefined);
    const moved = await updateRef(git, target, { ref, from, to, reason: "tazuna: as the remote has it" });
    // Somebody who moved it meanwhile knows more.
    return moved.isErr() && moved.error.kind !== "ref_moved" ? err(moved.error) : ok(undefined);
  });
}
