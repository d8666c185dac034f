/** Fetches a copy of an attempt from the depot of its repository, under a private reference. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { SENT_BY_STANDARD } from "../remote/remote.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { type DepotAccess, depotOptions } from "./depot-access.ts";

/** Nothing else comes along, and the user's own FETCH_HEAD stays. */
const ALONE = ["--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules"];

/** `to` is replaced: it is written by nobody else. */
export async function fetchCopy(
  git: Git,
  target: GitTarget,
  copy: {
    readonly depot: DepotAccess;
    readonly from: string;
    readonly to: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): GitAnswer<void, RemoteError> {
  const { depot, from, to, timeoutMs, signal } = copy;
  const args = ["fetch", SENT_BY_STANDARD, ...ALONE, depot.url, `+${from}:${to}`];
  const fetched = await git.run(target, args, { ...depotOptions(depot), timeoutMs, signal, lockRetries: 6 });
  return fetched.isErr() ? err(asRemoteError(fetched.error)) : ok(undefined);
}
