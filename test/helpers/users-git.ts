/** Runs git as the user does beside a working Tazuna, and repeats a command that another git disturbed. */
import type { GitSandbox } from "./git-repo.ts";

/**
 * Races of git itself: a user meets them too, beside a push, a `gc` or a `worktree add`. Each ends its command before
 * that has changed anything but remote-tracking references, and passes by itself.
 */
const PASSING: readonly RegExp[] = [
  // A fetch reads its remote-tracking references, asks the remote, and only then locks them. A push moved one
  // meanwhile, as every push does once it arrived.
  /cannot lock ref 'refs\/remotes\/origin\/[^']+': (?:is at [0-9a-f]+ but expected|reference already exists)/,
  // A git that writes a reference, the packed references or the configuration holds its lock file for an
  // instant.
  /Unable to create '[^'\n]*\/(?:refs\/remotes\/origin\/[^'\n]+|packed-refs)\.lock': File exists/,
  /could not lock config file [^\n]*\/?config: File exists/,
  // `git worktree add` first writes a HEAD that names nothing and the other files one by one. Then it writes
  // the real HEAD. Fetch, gc, fsck and `log --all` look at the HEAD of every worktree.
  /(?:bad object|unable to parse object:) worktrees\/run_?[^/\s]+\/HEAD/,
  /failed to read [^\n]*worktrees\/run_?[^/\s]+\/commondir/,
];

/** Such an instant does not come back so often in a row, however many worktrees are made. */
const MAX_TRIES = 40;

/** Git in the user's checkout; throws if a command fails by anything but such a race. */
export function usersGit(sandbox: GitSandbox, repository: string) {
  return async (...args: readonly string[]): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sandbox.git(repository, args);
      } catch (error) {
        if (tries === MAX_TRIES || !PASSING.some((race) => race.test(String(error)))) throw error;
      }
    }
  };
}
