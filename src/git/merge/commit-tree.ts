/** Makes a commit of a tree, without any worktree and without moving a reference. */
import { err } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { readRef } from "../refs/refs.ts";
import { type Identity, identityVariables } from "../repository/identity.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface NewCommit {
  /** A tree, or a revision of one. */
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly identity: Identity;
  /** Git signs it with the key of the user's configuration. */
  readonly sign: boolean;
  /** Such as `@0 +0000`; the time of the call if it is absent. */
  readonly date?: string;
}

/** `git commit-tree`: the id of the commit, in full. */
export async function commitTree(git: Git, target: GitTarget, commit: NewCommit): GitAnswer<string> {
  const { parents, message, identity, sign, date } = commit;
  const tree = await readRef(git, target, commit.tree);
  if (tree.isErr()) return err(tree.error);
  const signing = sign ? ["-S"] : ["--no-gpg-sign"];
  const from = parents.flatMap((parent) => ["-p", parent]);
  const dates = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const made = await git.run(
    target,
    ["commit-tree", ...signing, ...from, "-F", "-", tree.value ?? commit.tree],
    {
      stdin: message,
      extraEnv: { ...identityVariables(identity), ...dates },
    },
  );
  return made.map(({ stdout }) => stdout.trim());
}
