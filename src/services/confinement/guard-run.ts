/** Puts the guard's git in front of the PATH of a run's programs if no sandbox holds them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import { remoteAddresses } from "../../git/remote/remote-addresses.ts";
import { BASH_ENV_FILE, guardEnvironment } from "../../guard/guard-environment.ts";
import { bashEnvText, shimText } from "../../guard/shim.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";

/** Below the run's folder. */
const FOLDER = "guard";

/**
 * Sets its variables over `below`. An error if the remotes whose pushes it must refuse cannot be read. The scripts are
 * made again for every program.
 */
export async function guardRun(
  context: Uses<"paths" | "git" | "selfCommand" | "userEnv">,
  { run, repository }: Pick<RunWorld, "run" | "repository">,
  below: Readonly<Record<string, string>>,
): Promise<Result<Readonly<Record<string, string>>, GitError>> {
  const { commonDir } = repository;
  const folder = guardFolder(context, run.id);
  // An agent may have changed it: a link would send our files elsewhere.
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

/** The folder of one run. It exists once a program was started under the guard. */
export function guardFolder({ paths }: Uses<"paths">, run: string): string {
  return join(paths.run(run), FOLDER);
}
