/** Chooses the remotes of a repository as the configuration asks. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import {
  type ChosenRemotes,
  chooseRemotes,
  listRemotes,
  type RemoteMissing,
} from "../../git/remote/remote.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { ServiceContext } from "../core/context.ts";

/** Null if the repository has no remote at all. If only the defaults name the remote, it may have another name. */
export async function remotesOf(
  context: Pick<ServiceContext, "git">,
  repository: { readonly commonDir: string; readonly configuration: LoadedConfiguration },
): Promise<Result<ChosenRemotes | null, GitError | RemoteMissing>> {
  const remotes = await listRemotes(context.git, { gitDir: repository.commonDir, workTree: null });
  if (remotes.isErr()) return err(remotes.error);
  const { values, sources } = repository.configuration;
  const chosen = chooseRemotes(remotes.value, {
    remote: sources.has("remote") ? values.remote : null,
    pushRemote: values.push_remote,
  });
  return chosen.isErr() ? err(chosen.error) : ok(chosen.value);
}
