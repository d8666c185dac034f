/** Brings the remote's state into the repository, with one fetch for all callers that wait for it. */
import { ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { fetchRemote } from "../../git/remote/fetch.ts";
import type { Remote } from "../../git/remote/remote.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { CLONED_AS, followDefault } from "./follow-default.ts";
import { untilStopped } from "./until-stopped.ts";

/**
 * `git fetch REMOTE --prune`; serves every caller that asked before it began. If the remote is null, does nothing.
 * `signal` ends the waiting; the fetch itself ends once no caller waits for it.
 */
export async function fetchRepository(
  context: GitContext & Uses<"locks" | "shell">,
  repository: Repository,
  options: { readonly remote: Remote | null; readonly signal: AbortSignal },
): Promise<Result<void, RemoteError>> {
  const { remote, signal } = options;
  if (remote === null) return ok(undefined);
  const shellId = context.shell?.id ?? null;
  const fetchUnder = (key: string) =>
    context.locks.fetchOnce(repository.commonDir, {
      key,
      signal,
      fetch: async (gone) => ({
        by: shellId,
        fetched: await fetchNow(context, { repository, remote, gone }),
      }),
    });
  const fetched = fetchUnder(remote.name).then(({ by, fetched }) =>
    // The fetch of another shell failed; this shell may have the credentials or the route.
    fetched.isOk() || by === shellId || signal.aborted
      ? fetched
      : fetchUnder(`${remote.name}\0${shellId}`).then((again) => again.fetched),
  );
  return untilStopped(signal, fetched);
}

function fetchNow(
  context: GitContext,
  {
    repository,
    remote,
    gone,
  }: { readonly repository: Repository; readonly remote: Remote; readonly gone: AbortSignal },
): Promise<Result<void, RemoteError>> {
  return journaled(
    context,
    {
      kind: "fetch",
      subject: { type: "repository", id: repository.id },
      before: { remote: remote.name },
    },
    async () => {
      const fetched = await fetchRemote(context.git, repositoryTarget(repository), remote, { signal: gone });
      return fetched.isOk() && repository.url !== null && remote.name === CLONED_AS
        ? followDefault(context.git, repository)
        : fetched;
    },
    () => ({ remote: remote.name }),
  );
}
