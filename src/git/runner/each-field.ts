/** Runs a git command whose output is a list separated by NUL, and hands over each field as it arrives. */
import type { GitAnswer } from "../process/git-error.ts";
import { fieldReader } from "../process/nul-list.ts";
import type { Git, GitOptions, GitTarget } from "./run-git.ts";

/**
 * `begin` makes the receiver, and makes a new one if the call is repeated. The receiver must be quick: everything
 * else in the engine waits for it. Returns stderr.
 */
export async function eachField(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  { begin, ...options }: GitOptions & { readonly begin: () => (field: string) => void },
): GitAnswer<string> {
  const ended = await git.run(target, args, { ...options, onStdout: () => fieldReader(begin()) });
  return ended.map(({ stderr }) => stderr);
}

/** All fields that `keep` accepts; default every field. */
export async function listFields(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  { keep = () => true, ...options }: GitOptions & { readonly keep?: (field: string) => boolean } = {},
): GitAnswer<readonly string[]> {
  let fields: string[] = [];
  const begin = () => {
    const kept: string[] = [];
    fields = kept;
    return (field: string) => void (keep(field) && kept.push(field));
  };
  const listed = await eachField(git, target, args, { ...options, begin });
  return listed.map(() => fields);
}
