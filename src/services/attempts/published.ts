/** Decides whether the remote was seen to have a commit of an attempt's branch. */
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { readRef } from "../../git/refs/refs.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import type { RemoteMissing } from "../../git/remote/remote.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** Reads the remote-tracking reference of the branch. If there is no remote, nothing is published. */
export async function isPublished(
  context: Uses<"git">,
  candidate: {
    readonly repository: Repository;
    readonly configuration: LoadedConfiguration;
    readonly branch: string;
    readonly sha: string;
  },
): Promise<Result<boolean, GitError | RemoteMissing>> {
  const target = repositoryTarget(candidate.repository);
  const remotes = await remotesOf(context, {
    commonDir: candidate.repository.commonDir,
    configuration: candidate.configuration,
  });
  if (remotes.isErr()) return err(remotes.error);
  if (remotes.value === null) return ok(false);
  const tracking = `refs/remotes/${remotes.value.push.name}/${candidate.branch}^{commit}`;
  const remoteTip = await readRef(context.git, target, tracking);
  if (remoteTip.isErr()) return err(remoteTip.error);
  if (remoteTip.value === null) return ok(false);
  return isAncestor(context.git, target, { ancestor: candidate.sha, descendant: remoteTip.value });
}
