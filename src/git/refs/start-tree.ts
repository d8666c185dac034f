/** Keeps the tree that an attempt begins from under `refs/tazuna/runs/RUN/from`, so that git never drops it. */
import { err, ok, safeTry } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { identityVariables, TAZUNA } from "../repository/identity.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { deleteRef, type RefMoved, readRef, updateRef } from "./refs.ts";

/** A tree, and the commit on which it was made. */
export interface StartTree {
  readonly tree: string;
  readonly base: string;
}

/** Makes a commit of the tree on its base, which keeps both, and the reference to it. A second call changes nothing. */
export async function keepStartTree(
  git: Git,
  target: GitTarget,
  { run, tree, base }: StartTree & { readonly run: string },
): GitAnswer<void, GitError | RefMoved> {
  return safeTry(async function* () {
    const ref = refOf(run);
    const there = yield* await readRef(git, target, `${ref}^{tree}`);
    if (there === tree) return ok(undefined);
    const args = ["commit-tree", tree, "-p", base, "-m", `Tazuna: run ${run} begins here`, "--no-gpg-sign"];
    const author = { source: "fallback", author: TAZUNA, committer: TAZUNA } as const;
    const made = yield* await git.run(target, args, { extraEnv: identityVariables(author) });
    return updateRef(git, target, { ref, from: null, to: made.stdout.trim(), reason: "tazuna: kept" });
  });
}

/** For a run that was never created. If there is none, this succeeds. */
export async function dropStartTree(
  git: Git,
  target: GitTarget,
  run: string,
): GitAnswer<void, GitError | RefMoved> {
  const sha = await readRef(git, target, refOf(run));
  if (sha.isErr()) return err(sha.error);
  return sha.value === null ? ok(undefined) : deleteRef(git, target, { ref: refOf(run), from: sha.value });
}

function refOf(run: string): string {
  return `refs/tazuna/runs/${run}/from`;
}
