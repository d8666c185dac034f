/** Repeats a git call if that can help: after another git's passing change, after a kill, or with lent credentials. */
import { setTimeout as delay } from "node:timers/promises";
import type { GitAccess, LentCredentials } from "../process/git-environment.ts";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import { asksInVain, wantsCredentials } from "../process/remote-error.ts";

const MAX_TRIES = 6;
const PAUSE_MS = 100;

/**
 * The user fetched or pushed the same reference at the same time. Or the user made a worktree, whose HEAD is empty
 * for an instant; every fetch that reads it fails.
 */
const PASSING =
  /cannot lock ref '[^']*': (?:is at [0-9a-f]+ but expected|reference already exists)|bad object worktrees\//;
/** Another process writes a remote-tracking reference, or removes deleted ones from the packed file. */
const OTHERS_LOCK = /\/refs\/remotes\/.*\.lock$|\/packed-refs\.lock$/;

/**
 * Repeats a command if another git in the repository, such as the user's fetch, disturbed it for an instant. Only for
 * a fetch, or the fetch of a pull: if it fails then, it has changed remote-tracking references only. `orKilled` also
 * repeats a killed command (mostly by the system, out of memory). Use it only if the command itself changes nothing
 * else, however far it came.
 */
export async function overPassingTrouble<Output>(
  fetch: () => GitAnswer<Output>,
  { orKilled = false }: { readonly orKilled?: boolean } = {},
): GitAnswer<Output> {
  for (let tries = 1; ; tries++) {
    const fetched = await fetch();
    if (fetched.isOk() || tries === MAX_TRIES) return fetched;
    if (!passes(fetched.error) && !(orKilled && wasKilled(fetched.error))) return fetched;
    await delay(PAUSE_MS * tries);
  }
}

function passes(error: GitError): boolean {
  if (error.kind === "locked") return OTHERS_LOCK.test(error.lockFile ?? "");
  return error.kind === "git_failed" && PASSING.test(error.stderr);
}

const MAX_KILLS = 4;

/**
 * Repeats an action if its git was killed: only for actions whose every step may be repeated. Returns the first
 * answer that is not a kill, or the last one. There is no pause: the action itself deals with what it left behind.
 */
export async function overKilled<Value, Fault extends { readonly kind: string }>(
  act: () => GitAnswer<Value, Fault>,
): GitAnswer<Value, Fault> {
  for (let tries = 1; ; tries++) {
    const done = await act();
    if (done.isOk() || tries === MAX_KILLS || !wasKilled(done.error)) return done;
  }
}

/**
 * Repeats a call with credentials that Tazuna can lend, if a remote refused the user's own. A refused call has
 * changed nothing, so it may be repeated. A local call is lent nothing.
 */
export async function lendWhereRefused<Output>(
  { lend }: { readonly lend?: () => LentCredentials | null },
  { access = "local" }: { readonly access?: GitAccess },
  run: (lent: LentCredentials | null) => GitAnswer<Output>,
): GitAnswer<Output> {
  const first = await run(null);
  if (access === "local" || first.isOk() || !wantsCredentials(first.error)) return first;
  const lent = lend?.() ?? null;
  if (lent === null) return first;
  const again = await run(lent);
  // Tazuna had no credentials for that host, so the first refusal says more.
  return again.isErr() && asksInVain(again.error) ? first : again;
}
