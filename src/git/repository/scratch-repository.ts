/** Makes small repositories for the demo: a checkout with one commit, and a bare remote as its origin. */
import { err } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";
import { identityVariables, TAZUNA } from "./identity.ts";

/** `git init` in an existing folder, on the branch `main`. */
export async function initRepository(git: Git, path: string): GitAnswer<void> {
  const made = await git.discover(path, ["init", "--quiet", "--initial-branch=main"]);
  return made.map(() => undefined);
}

/** Stages and commits all files of the folder as Tazuna, independent of the user's identity. */
export async function addEverything(git: Git, path: string, message: string): GitAnswer<void> {
  const added = await git.discover(path, ["add", "-A"]);
  if (added.isErr()) return err(added.error);
  const committed = await git.discover(path, ["commit", "--quiet", "--no-gpg-sign", "-m", message], {
    extraEnv: identityVariables({ source: "fallback", author: TAZUNA, committer: TAZUNA }),
  });
  return committed.map(() => undefined);
}

/** A bare clone beside the repository, which becomes its `origin`. */
export async function cloneBare(
  git: Git,
  addresses: { readonly from: string; readonly to: string },
): GitAnswer<void> {
  const cloned = await git.discover(
    addresses.from,
    ["clone", "--quiet", "--bare", "--no-hardlinks", addresses.from, addresses.to],
    { access: "remote" },
  );
  if (cloned.isErr()) return err(cloned.error);
  const added = await git.discover(addresses.from, ["remote", "add", "origin", addresses.to]);
  if (added.isErr()) return err(added.error);
  const fetched = await git.discover(addresses.from, ["fetch", "--quiet", "origin"], { access: "remote" });
  return fetched.map(() => undefined);
}
