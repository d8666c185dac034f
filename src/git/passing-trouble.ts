/** Tries again what two git commands in one repository do to each other for an instant: the user's fetch beside ours. */
import { setTimeout as delay } from "node:timers/promises";
import type { Result } from "neverthrow";
import { type GitError, wasKilled } from "./git-error.ts";
import type { GitOutput } from "./run-git.ts";

const MOST_TRIES = 6;
const PAUSE_MS = 100;

/**
 * The user fetched or pushed the same reference at the same time, or made a worktree of their own, whose HEAD is nothing
 * for an instant and breaks every fetch that looks at it.
 */
const PASSING =
  /cannot lock ref '[^']*': (?:is at [0-9a-f]+ but expected|reference already exists)|bad object worktrees\//;
/** Someone else is writing a remote-tracking reference, or takes deleted ones out of the packed file. */
const OTHERS_LOCK = /\/refs\/remotes\/.*\.lock$|\/packed-refs\.lock$/;

/**
 * Only for a command that fails so before it has changed anything but remote-tracking references: a fetch, or the one in a
 * pull. `orKilled` tries again what somebody killed too (the system out of memory, mostly): only where the command itself
 * changes nothing else, however far it came.
 */
export async function overPassingTrouble(
  fetch: () => Promise<Result<GitOutput, GitError>>,
  { orKilled = false }: { readonly orKilled?: boolean } = {},
): Promise<Result<GitOutput, GitError>> {
  for (let tries = 1; ; tries++) {
    const fetched = await fetch();
    if (fetched.isOk() || tries === MOST_TRIES) return fetched;
    if (!passes(fetched.error) && !(orKilled && wasKilled(fetched.error))) return fetched;
    await delay(PAUSE_MS * tries);
  }
}

function passes(error: GitError): boolean {
  if (error.kind === "locked") return OTHERS_LOCK.test(error.lockFile ?? "");
  return error.kind === "git_failed" && PASSING.test(error.stderr);
}
