/** Puts the guard's git in front of the PATH of a run's programs, where no sandbox holds them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "neverthrow";
import type { GitError } from "../../git/git-error.ts";
import { remoteAddresses } from "../../git/remote-addresses.ts";
import { BASH_ENV_FILE, guardEnvironment } from "../../guard/guard-environment.ts";
import { bashEnvText, shimText } from "../../guard/shim.ts";
import { removeTree } from "../../utils/remove-tree.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";

/** Below the run's folder. */
const FOLDER = "guard";

/** Of one run; it is there once a program was started under the guard. */
export function guardFolder({ paths }: Pick<ServiceContext, "paths">, run: string): string {
  return join(paths.run(run), FOLDER);
}

/** What is set over `below`; an error where the remotes cannot be read, whose pushes it is to refuse. The scripts are made again for every program. */
export async function guardRun(
  context: Pick<ServiceContext, "paths" | "git" | "selfCommand" | "userEnv">,
  { run, repository }: Pick<RunWorld, "run" | "repository">,
  below: Readonly<Record<string, string>>,
): Promise<Result<Readonly<Record<string, string>>, GitError>> {
  const { commonDir } = repository;
  const folder = guardFolder(context, run.id);
  // Whatever an agent made of it: a link would lead our words elsewhere.
  await removeTree(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const git = shimText({ selfCommand: context.selfCommand, commonDir, folder });
  const bashEnv = bashEnvText({ folder, before: context.userEnv.BASH_ENV || null });
  const [remotes] = await Promise.all([
    remoteAddresses(context.git, { gitDir: commonDir, workTree: null }),
    writeFile(join(folder, "git"), git, { mode: 0o700 }),
    writeFile(join(folder, BASH_ENV_FILE), bashEnv, { mode: 0o600 }),
  ]);
  return remotes.map((known) => guardEnvironment(below, { folder, remotes: known }));
}
