/** Lists the values that must not be stored from the output of a run's programs. */
import type { Result } from "neverthrow";
import { agentEnvironment, heldBack } from "../../domain/agent/environment.ts";
import { secretValues } from "../../domain/agent/redact.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { credentialsIn } from "../../git/process/redact-url.ts";
import { remoteAddresses } from "../../git/remote/remote-addresses.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";

/**
 * Tokens that were withheld, and passwords in the addresses of remotes. Also values whose name in the user's
 * environment or in an agent's settings is that of a secret. An error if those addresses cannot be read.
 */
export async function secretsOf(
  context: Uses<"userEnv" | "tokens" | "git">,
  world: Pick<RunWorld, "configuration" | "repository">,
): Promise<Result<readonly string[], GitError>> {
  const { userEnv, tokens, git } = context;
  const { agents } = world.configuration.values;
  const { secret } = agentEnvironment({
    user: userEnv,
    deny: heldBack(world.configuration),
    cwd: "/",
    added: {},
  });
  const remotes = await remoteAddresses(git, { gitDir: world.repository.commonDir, workTree: null });
  return remotes.map(({ urls, pushUrls }) => [
    ...tokens,
    ...secretValues(userEnv, { names: secret }),
    ...Object.values(agents).flatMap((agent) => secretValues(agent.env, { names: [] })),
    ...[...urls, ...pushUrls].flatMap(credentialsIn),
  ]);
}
