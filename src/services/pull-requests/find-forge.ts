/** Finds the forge on which an attempt's pull request belongs, and what its branch is called there. */
import { err, ok, type Result } from "neverthrow";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { type ForgePlace, forgePlace, repositoryAt } from "../../domain/forge/forge-place.ts";
import type { Forge, HeadBranch } from "../../forge/forge.ts";
import type { Remote } from "../../git/remote/remote.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { configurationRefusal, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { remotesOf } from "../repositories/choose-remote.ts";

/** What asking a forge takes. */
export type ForgeContext = Uses<
  | "git"
  | "configuration"
  | "userEnv"
  | "openForge"
  | "forgeToken"
  | "forgeLogins"
  | "clock"
  | "engineStop"
  | "shell"
>;

export interface ForgeAt {
  readonly forge: Forge;
  readonly place: ForgePlace;
  readonly head: HeadBranch;
  readonly push: Remote;
  /** The person's own settings: a repository's files say nothing about forges. */
  readonly settings: Configuration["forge"];
}

const TIMEOUT_MS = 30_000;

export async function findForge(
  engine: ForgeContext,
  { attempt, task, repository }: AttemptPlace,
): Promise<Result<ForgeAt, Refusal>> {
  const loaded = await engine.configuration(repository, task.settings);
  if (loaded.isErr()) return err(configurationRefusal(loaded.error));
  const configuration = loaded.value;
  const context = withRepositoryGit(engine, { repository, configuration });
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return err(noRemote(remotes.error.message, attempt.id));
  if (remotes.value === null) return err(noRemote("The repository has no remote.", attempt.id));
  const { fetch, push } = remotes.value;
  const settings = configuration.without.forge;
  const place = forgePlace(fetch.fetchUrl, { env: engine.userEnv, forge: settings });
  if (place === null)
    return err(noForge(`No forge is known at ${fetch.fetchUrl}, the address of ${fetch.name}.`, attempt.id));
  const pushed = repositoryAt(push.pushUrl);
  const isFork = pushed !== null && (pushed.owner !== place.owner || pushed.name !== place.name);
  const token = await loginFor(engine, { attempt: attempt.id, apiUrl: place.apiUrl });
  const forge = await engine.openForge(place.kind, {
    apiUrl: place.apiUrl,
    repository: { owner: place.owner, name: place.name },
    token: () => token(place.apiUrl),
    clock: engine.clock,
    signal: engine.engineStop,
    timeoutMs: TIMEOUT_MS,
  });
  const fork = isFork ? { owner: pushed.owner, name: pushed.name } : null;
  const head = { fork, branch: attempt.branch };
  return ok({ forge, place, head, push, settings });
}

/** A shell that knows a token comes first, and is remembered for the looks that follow. */
async function loginFor(
  { shell, forgeLogins, forgeToken }: Uses<"shell" | "forgeLogins" | "forgeToken">,
  { attempt, apiUrl }: { readonly attempt: string; readonly apiUrl: string },
): Promise<typeof forgeToken> {
  if (shell !== null && (await forgeToken(apiUrl)) !== null) forgeLogins.set(attempt, forgeToken);
  return forgeLogins.get(attempt) ?? forgeToken;
}

function noRemote(message: string, id: string): Refusal {
  return refuse("conflict", "no_forge", message, {
    remedy: `A pull request needs a remote on a forge. \`tazuna merge ${shortId(id)}\` brings the work home without one.`,
  });
}

function noForge(message: string, id: string): Refusal {
  return refuse("conflict", "no_forge", message, {
    remedy: `\`tazuna config set forge.kind github\` (or gitlab, gitea) and \`tazuna config set forge.api_url https://HOST\` name it. Without a forge, \`tazuna merge ${shortId(id)}\` brings the work home.`,
  });
}
