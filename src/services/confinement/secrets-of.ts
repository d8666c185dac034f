/** Says which values must not be stored of what a run's programs print. */
import type { Result } from "neverthrow";
import { agentEnvironment } from "../../domain/agent/environment.ts";
import { secretValues } from "../../domain/agent/redact.ts";
import type { GitError } from "../../git/git-error.ts";
import { credentialsIn } from "../../git/redact-url.ts";
import { remoteAddresses } from "../../git/remote-addresses.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";

/** Tokens that were withheld, what has the name of a secret in the user's environment or an agent's settings, and passwords in the addresses of remotes; an error where those cannot be read. */
export async function secretsOf(
  context: Pick<ServiceContext, "userEnv" | "tokens" | "git">,
  world: Pick<RunWorld, "configuration" | "repository">,
): Promise<Result<readonly string[], GitError>> {
  const { userEnv, tokens, git } = context;
  const { agents, env } = world.configuration.values;
  const { secret } = agentEnvironment({ user: userEnv, deny: env.deny, cwd: "/", added: {} });
  const remotes = await remoteAddresses(git, { gitDir: world.repository.commonDir, workTree: null });
  return remotes.map(({ urls, pushUrls }) => [
    ...tokens,
    ...secretValues(userEnv, { names: secret }),
    ...Object.values(agents).flatMap((agent) => secretValues(agent.env, { names: [] })),
    ...[...urls, ...pushUrls].flatMap(credentialsIn),
  ]);
}
