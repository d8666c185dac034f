/** Runs git as the user does beside a working Tazuna, and tries again what any two git commands in one repository may do to each other. */
import type { GitSandbox } from "./git-repo.ts";

/**
 * Races of git's own, which the user would meet just the same beside a push, a `gc` or a `worktree add` of theirs. Each
 * ends its command before that has changed anything but remote-tracking references, and passes by itself.
 */
const PASSING: readonly RegExp[] = [
  // A fetch reads where its remote-tracking references are, asks the remote, and only then locks them: a push moved one
  // meanwhile, as every push does once it arrived.
  /cannot lock ref 'refs\/remotes\/origin\/[^']+': (?:is at [0-9a-f]+ but expected|reference already exists)/,
  // Whoever writes a reference, the packed references or the configuration holds its lock file for an instant.
  /Unable to create '[^'\n]*\/(?:refs\/remotes\/origin\/[^'\n]+|packed-refs)\.lock': File exists/,
  /could not lock config file [^\n]*\/?config: File exists/,
  // `git worktree add` writes a HEAD that names nothing and the other files one by one, before it writes the real HEAD; fetch,
  // gc, fsck and `log --all` look at the HEAD of every worktree.
  /(?:bad object|unable to parse object:) worktrees\/run_?[^/\s]+\/HEAD/,
  /failed to read [^\n]*worktrees\/run_?[^/\s]+\/commondir/,
];

/** Such an instant does not come back so often in a row, however many worktrees are made. */
const MOST_TRIES = 40;

/** Git in the user's checkout; throws where a command fails by anything but such a race. */
export function usersGit(sandbox: GitSandbox, repository: string) {
  return async (...args: readonly string[]): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sandbox.git(repository, args);
      } catch (error) {
        if (tries === MOST_TRIES || !PASSING.some((race) => race.test(String(error)))) throw error;
      }
    }
  };
}
