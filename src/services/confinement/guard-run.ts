/** Puts the guard's git in front of the PATH of a run's programs, where no sandbox holds them. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type RemoteAddresses, remoteAddresses } from "../../git/remote-addresses.ts";
import { BASH_ENV_FILE, guardEnvironment } from "../../guard/guard-environment.ts";
import { bashEnvText, shimText } from "../../guard/shim.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";

/** Below the run's folder. */
const FOLDER = "guard";

const NO_REMOTES: RemoteAddresses = { urls: [], pushUrls: [] };

/** Written again for every program: whatever ran before may have changed it. */
export async function guardRun(
  context: Pick<ServiceContext, "paths" | "git" | "selfCommand" | "userEnv">,
  { run, repository }: Pick<RunWorld, "run" | "repository">,
): Promise<(below: Readonly<Record<string, string>>) => Readonly<Record<string, string>>> {
  const { commonDir } = repository;
  const folder = join(context.paths.run(run.id), FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const git = shimText({ selfCommand: context.selfCommand, commonDir, folder });
  const bashEnv = bashEnvText({ folder, before: context.userEnv.BASH_ENV || null });
  await Promise.all([
    writeFileAtomic(join(folder, "git"), git, { mode: 0o755 }),
    writeFileAtomic(join(folder, BASH_ENV_FILE), bashEnv),
  ]);
  const remotes = await remoteAddresses(context.git, { gitDir: commonDir, workTree: null });
  // Without them the guard itself still refuses a push.
  return (below) => guardEnvironment(below, { folder, remotes: remotes.unwrapOr(NO_REMOTES) });
}
