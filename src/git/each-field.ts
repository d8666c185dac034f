/** Runs a git command that answers with a list separated by NUL, and hands its fields over as they come: never the whole at once. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fieldReader } from "./nul-list.ts";
import type { Git, GitOptions, GitTarget } from "./run-git.ts";

/**
 * `begin` makes who takes them, anew where the call is made a second time. Each field has to be taken quickly: whatever else
 * the engine does waits for it. Returns stderr.
 */
export async function eachField(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  { begin, ...options }: GitOptions & { readonly begin: () => (field: string) => void },
): Promise<Result<string, GitError>> {
  const ended = await git.run(target, args, { ...options, onStdout: () => fieldReader(begin()) });
  return ended.map(({ stderr }) => stderr);
}

/** All of those that `keep` wants; every one unless told. */
export async function listFields(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  { keep = () => true, ...options }: GitOptions & { readonly keep?: (field: string) => boolean } = {},
): Promise<Result<readonly string[], GitError>> {
  let fields: string[] = [];
  const begin = () => {
    const kept: string[] = [];
    fields = kept;
    return (field: string) => void (keep(field) && kept.push(field));
  };
  const listed = await eachField(git, target, args, { ...options, begin });
  return listed.map(() => fields);
}
