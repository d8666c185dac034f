/** Chooses the remotes of a repository as the configuration wants them. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../git/git-error.ts";
import { type ChosenRemotes, chooseRemotes, listRemotes, type RemoteMissing } from "../../git/remote.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { ServiceContext } from "../context.ts";

/** Null where the repository has no remote at all; a remote that only the defaults name may be called otherwise. */
export async function remotesOf(
  context: ServiceContext,
  of: { readonly commonDir: string; readonly configuration: LoadedConfiguration },
): Promise<Result<ChosenRemotes | null, GitError | RemoteMissing>> {
  const remotes = await listRemotes(context.git, { gitDir: of.commonDir, workTree: null });
  if (remotes.isErr()) return err(remotes.error);
  const { values, sources } = of.configuration;
  const chosen = chooseRemotes(remotes.value, {
    remote: sources.has("remote") ? values.remote : null,
    pushRemote: values.push_remote,
  });
  return chosen.isErr() ? err(chosen.error) : ok(chosen.value);
}
