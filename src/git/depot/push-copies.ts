/** Pushes copies of an attempt into the depot of its repository: new references, and never by force. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { TAKEN_BY_STANDARD } from "../remote/remote.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { type DepotAccess, depotOptions } from "./depot-access.ts";

interface CopiesToPush {
  readonly depot: DepotAccess;
  /** Each as `FROM:TO`. */
  readonly refspecs: readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** By reference: why the depot did not take it. What it has already counts as taken. */
export async function pushCopies(
  git: Git,
  target: GitTarget,
  { depot, refspecs, timeoutMs, signal }: CopiesToPush,
): GitAnswer<ReadonlyMap<string, string>, RemoteError> {
  const args = ["push", "--porcelain", "--no-verify", TAKEN_BY_STANDARD, depot.url, ...refspecs];
  const pushed = await git.run(target, args, {
    ...depotOptions(depot),
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  if (pushed.isOk()) return ok(new Map());
  const { error } = pushed;
  const refused = error.kind === "git_failed" ? refusedIn(error.stdout) : new Map<string, string>();
  return refused.size > 0 ? ok(refused) : err(asRemoteError(error));
}

/** `! TAB FROM:TO TAB SUMMARY` for each. */
function refusedIn(stdout: string): ReadonlyMap<string, string> {
  const lines = [...stdout.matchAll(/^!\t[^\t\n]*:([^\t\n:]+)\t(.*)$/gm)];
  return new Map(lines.map(([, ref = "", why = ""]) => [ref, why]));
}
