/** Chooses the remotes of a repository as the configuration asks. */
import type { Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import {
  type ChosenRemotes,
  chooseRemotes,
  listRemotes,
  type Remote,
  type RemoteMissing,
} from "../../git/remote/remote.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";

/** Null if the repository has no remote at all. If only the defaults name the remote, it may have another name. */
export async function remotesOf(
  context: Uses<"git">,
  repository: { readonly commonDir: string; readonly configuration: LoadedConfiguration },
): Promise<Result<ChosenRemotes | null, GitError | RemoteMissing>> {
  const remotes = await listRemotes(context.git, { gitDir: repository.commonDir, workTree: null });
  return remotes.andThen((all) => chosenBy(repository.configuration, all));
}

/** Of these remotes, those that the configuration names. */
export function chosenBy(
  { values, sources }: LoadedConfiguration,
  remotes: readonly Remote[],
): Result<ChosenRemotes | null, RemoteMissing> {
  return chooseRemotes(remotes, {
    remote: sources.has("remote") ? values.remote : null,
    pushRemote: values.push_remote,
  });
}
