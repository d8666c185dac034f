/** Tells which commits would still be reachable without Tazuna's own branches. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { branchOf, listRefs } from "./refs.ts";

/**
 * Those of `commits` that another reference reaches: a tag, a local branch, or a remote's branch as last seen. Local
 * branches of `except` (short names) do not count. One walk checks all of them.
 */
export async function heldElsewhere(
  git: Git,
  target: GitTarget,
  wanted: { readonly commits: readonly string[]; readonly except: ReadonlySet<string> },
): GitAnswer<ReadonlySet<string>> {
  if (wanted.commits.length === 0) return ok(new Set());
  const refs = await listRefs(git, target, { prefixes: ["refs/remotes", "refs/tags", "refs/heads"] });
  if (refs.isErr()) return err(refs.error);
  const others = refs.value.filter(({ name }) => !isExcepted(name, wanted.except));
  const asked = [...wanted.commits, ...new Set(others.map(({ sha }) => `^${sha}`))];
  const unheld = await git.run(target, ["rev-list", "--stdin"], { stdin: `${asked.join("\n")}\n` });
  return unheld.map(({ stdout }) => {
    const unheld = new Set(stdout.split("\n"));
    return new Set(wanted.commits.filter((commit) => !unheld.has(commit)));
  });
}

/** Whether a branch of any remote, as last seen, holds the commit. */
export async function isOnRemote(git: Git, target: GitTarget, commit: string): GitAnswer<boolean> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", `--contains=${commit}`, "refs/remotes"];
  return (await git.run(target, args)).map(({ stdout }) => stdout !== "");
}

/** An agent's own commits may lie on its own branch, which is never pushed. */
const BY_AGENT = /-by-agent-[^/]{8}$/;

function isExcepted(ref: string, except: ReadonlySet<string>): boolean {
  const branch = branchOf(ref);
  return branch !== null && (except.has(branch) || except.has(branch.replace(BY_AGENT, "")));
}
