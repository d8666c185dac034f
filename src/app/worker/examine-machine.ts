/** Says whether this machine can be a worker: its data folder, its git, and what holds agents here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError } from "../../cli/shared/cli-options.ts";
import { gitFindings } from "../../domain/doctor/git.ts";
import { findSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { readWorkerFile } from "../../services/workers/worker-file.ts";
import { lockHolders } from "../../utils/locks/lock-holders.ts";
import { createProbe } from "../engine/probe.ts";
import { makeDataFolder } from "../process/data-folder.ts";
import type { Settings } from "../process/settings.ts";

/** Null if this data folder may join a server. It is made if it is missing. */
export async function refuseFolder({ home }: Settings): Promise<CliError | null> {
  const unusable = await makeDataFolder(home);
  if (unusable !== null) return failed(unusable);
  const paths = dataPaths(home);
  const joined = await readWorkerFile(paths.workerFile);
  if (joined.isErr()) return failed(joined.error);
  if (joined.value !== null) return joinedBefore(joined.value.server, joined.value.name);
  if (existsSync(paths.database)) return ownDatabase(home);
  const holders = (await lockHolders(join(home, "engine.lock"))) ?? [];
  return holders.length === 0 ? null : engineRuns(home);
}

/** Answers with the sandbox, or with none if `allowGuard` accepts that. */
export async function examineMachine(
  settings: Settings,
  { allowGuard }: { readonly allowGuard: boolean },
): Promise<Result<Sandbox, CliError>> {
  const probe = createProbe({ env: settings.env, cwd: settings.home });
  const git = await probe.which("git");
  const answer = git === null ? null : await probe.run([git, "--version"]);
  const version = answer === null || answer.code !== 0 ? null : answer.stdout;
  const [found] = gitFindings({ version, missing: [], withoutIdentity: null });
  if (found?.level === "error") return err(noGit(found.what, found.remedy ?? ""));
  const scratch = dataPaths(settings.home).scratch;
  const sandbox = await findSandbox({ platform: process.platform, which: probe.which, scratch })();
  return sandbox.available || allowGuard ? ok(sandbox) : err(noSandbox(sandbox));
}

function joinedBefore(server: string, name: string): CliError {
  return failed({
    code: "already_joined",
    message: `This data folder joined ${server} before, as ${name}.`,
    remedy:
      "`tazuna worker` starts it. For a second worker on this machine set TAZUNA_HOME to another folder.",
    details: { server, name },
  });
}

function ownDatabase(home: string): CliError {
  return failed({
    code: "folder_in_use",
    message: `The data folder ${home} has a database of its own, with its tasks.`,
    remedy: "Set TAZUNA_HOME to another folder for this worker; this one stays as it is.",
    details: { home },
  });
}

function engineRuns(home: string): CliError {
  return failed({
    code: "engine_running",
    message: `Another Tazuna works on ${home}.`,
    remedy: "`tazuna engine stop` ends it; then join. Or set TAZUNA_HOME to another folder.",
  });
}

function noGit(message: string, remedy: string): CliError {
  return failed({ code: "git_missing", message, remedy: `${remedy} Then run the command again.` });
}

function noSandbox({ reason, remedy }: Extract<Sandbox, { available: false }>): CliError {
  return failed({
    code: "sandbox_unavailable",
    message: `${reason} Without a sandbox agents could read the worker's login to the Postgres.`,
    remedy: `${remedy} Then run the command again. To accept it as it is, add \`--allow-guard\`.`,
  });
}
