/** Brings the remote's state into the repository, one fetch for all who wait for it. */
import { ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { fetchRemote } from "../../git/fetch.ts";
import type { Remote } from "../../git/remote.ts";
import type { RemoteError } from "../../git/remote-error.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { repositoryTarget } from "../worktrees/targets.ts";

/** `git fetch REMOTE --prune`; serves every caller that asked before it began. Null as remote is nothing to do. */
export async function fetchRepository(
  context: ServiceContext,
  repository: Repository,
  remote: Remote | null,
): Promise<Result<void, RemoteError>> {
  if (remote === null) return ok(undefined);
  return context.locks.fetchOnce(repository.commonDir, {
    key: remote.name,
    fetch: () =>
      journaled(
        context,
        {
          kind: "fetch",
          subject: { type: "repository", id: repository.id },
          before: { remote: remote.name },
        },
        () => fetchRemote(context.git, repositoryTarget(repository), remote),
        () => ({ remote: remote.name }),
      ),
  });
}
