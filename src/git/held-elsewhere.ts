/** Tells which commits would still be found if Tazuna's own branches were gone. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { listRefs } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";

/**
 * Those of `commits` that a remote's branch (as last fetched or pushed), a tag, or a local branch other than `except` (short
 * names) leads to. One walk for all of them.
 */
export async function heldElsewhere(
  git: Git,
  target: GitTarget,
  of: { readonly commits: readonly string[]; readonly except: ReadonlySet<string> },
): Promise<Result<ReadonlySet<string>, GitError>> {
  if (of.commits.length === 0) return ok(new Set());
  const refs = await listRefs(git, target, { prefixes: ["refs/remotes", "refs/tags", "refs/heads"] });
  if (refs.isErr()) return err(refs.error);
  const others = refs.value.filter(({ name }) => !isExcepted(name, of.except));
  const asked = [...of.commits, ...new Set(others.map(({ sha }) => `^${sha}`))];
  const alone = await git.run(target, ["rev-list", "--stdin"], { stdin: `${asked.join("\n")}\n` });
  return alone.map(({ stdout }) => {
    const unheld = new Set(stdout.split("\n"));
    return new Set(of.commits.filter((commit) => !unheld.has(commit)));
  });
}

/** What an agent committed itself may lie on a branch of its own, which no one pushes. */
const BY_AGENT = /-by-agent-[^/]{8}$/;

function isExcepted(ref: string, except: ReadonlySet<string>): boolean {
  const branch = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
  return branch !== null && (except.has(branch) || except.has(branch.replace(BY_AGENT, "")));
}
