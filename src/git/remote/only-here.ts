/** Finds what a clone holds and its remote does not, by asking the remote now. */
import { err } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Ref } from "../refs/refs.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { SENT_BY_STANDARD } from "./remote.ts";

export interface OnlyHere {
  /** References or commits that the remote lacks, as they are shown. At least one if there is any. */
  readonly lacking: readonly string[];
  /** References that a new clone would not have by itself, though the remote has their commits. */
  readonly refs: readonly Pick<Ref, "name" | "sha">[];
}

/**
 * What a remote-tracking branch says may be old: the remote may have forgotten those commits. So it is asked. Logs of
 * references count too, and a stash is a reference.
 */
export async function findOnlyHere(
  git: Git,
  target: GitTarget,
  { remote, signal }: { readonly remote: string; readonly signal: AbortSignal },
): GitAnswer<OnlyHere, RemoteError> {
  const asked = await git.run(target, ["ls-remote", SENT_BY_STANDARD, remote], { access: "remote", signal });
  if (asked.isErr()) return err(asRemoteError(asked.error));
  const there = new Set(asked.value.stdout.match(/^[0-9a-f]{40,}(?=\t)/gm) ?? []);
  const listed = await git.run(target, ["for-each-ref", "--format=%(objectname) %(objecttype) %(refname)"]);
  if (listed.isErr()) return err(listed.error);
  const all = listed.value.stdout.split("\n").filter((line) => line !== "");
  const refs = all.map((line) => {
    const [sha = "", type = "", ...name] = line.split(" ");
    return { sha, type, name: name.join(" ") };
  });
  // A walk of commits passes over trees, and over the words of a tag.
  const unwalked = refs.filter(({ sha, type }) => type !== "commit" && !there.has(sha));
  const walk = ["rev-list", "--max-count=1", "--ignore-missing", "--all", "--reflog", "--stdin"];
  const stdin = [...there].map((sha) => `^${sha}\n`).join("");
  const walked = await git.run(target, walk, { stdin });
  return walked.map(({ stdout }) => ({
    lacking: [...unwalked.map(({ name }) => name), ...stdout.split("\n").filter((sha) => sha !== "")],
    refs: refs
      .filter(({ name, sha }) => !name.startsWith("refs/remotes/") && !(isTag(name) && there.has(sha)))
      .map(({ name, sha }) => ({ name, sha })),
  }));
}

const isTag = (name: string) => name.startsWith("refs/tags/");

/** The names of the settings in the repository's own file. */
export async function ownSettings(git: Git, target: GitTarget): GitAnswer<readonly string[]> {
  const listed = await git.run(target, ["config", "--local", "--name-only", "--list", "-z"]);
  return listed.map(({ stdout }) => stdout.split("\0").filter((name) => name !== ""));
}
