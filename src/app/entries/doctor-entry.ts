/** Examines everything for the command line: in the running engine, else in this process, which only looks. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FindingDocument } from "../../contract/endpoints/repositories.ts";
import { type UnknownVariable, unknownVariables } from "../../domain/configuration/variables.ts";
import type { DatabaseState } from "../../domain/doctor/database.ts";
import { type EngineFacts, engineFindings } from "../../domain/doctor/engine.ts";
import { type Finding, makeFinding } from "../../domain/doctor/finding.ts";
import { settingsOfEnvironment } from "../../domain/task/task-settings.ts";
import { createExecutors } from "../../executors/registry.ts";
import { redactUrl } from "../../git/process/redact-url.ts";
import { createGit } from "../../git/runner/run-git.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { loadConfiguration } from "../../services/configuration/load-configuration.ts";
import { type DataPaths, dataPaths } from "../../services/core/data-paths.ts";
import type { DoctorContext } from "../../services/doctor/doctor-context.ts";
import { examine } from "../../services/doctor/examine.ts";
import { readWorkerFile } from "../../services/workers/worker-file.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { inspectSqlite } from "../../storage/sqlite/inspect-sqlite.ts";
import { agentsAtWork } from "../../storage/tables/runs.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { createProbe } from "../engine/probe.ts";
import { inspectEngineLock } from "../find-engine/inspect-engine-lock.ts";
import { clientOf, type FoundServer, findServer } from "../find-engine/living-server.ts";
import type { Settings } from "../process/settings.ts";

const GIT_MS = 30_000;

/** `folder` is the folder in which the command was called. */
export async function doctorEntry(settings: Settings, folder: string): Promise<readonly FindingDocument[]> {
  const server = await findServer(settings);
  const wanted = settings.env.TAZUNA_DATABASE;
  const engine = engineFindings({
    engine: factsOf(server),
    lock: await inspectEngineLock(settings.home),
    ownVersion: settings.version,
    wantedDatabase: wanted ? redactUrl(wanted) : null,
  });
  return [
    ...engine,
    ...unknownVariables(settings.env).map(variableFinding),
    ...((await askEngine(settings, { server, folder })) ?? (await examineHere(settings, { server, folder }))),
  ];
}

function variableFinding({ name, message }: UnknownVariable): Finding {
  return makeFinding("warning", `variable:${name}`, message, {
    remedy: "Correct its name, or unset it; `tazuna config --schema` lists every key.",
  });
}

function factsOf(server: FoundServer): EngineFacts["engine"] {
  switch (server.state) {
    case "none":
    case "died":
      return { state: server.state };
    case "silent":
      return { state: "silent", pid: server.file.pid };
    case "answers":
      return { state: "answers", ...server.file };
  }
}

/**
 * The engine knows best. It judges by the environment of this command, as `run` does. Null if no engine runs, or if
 * it cannot examine.
 */
async function askEngine(
  settings: Settings,
  { server, folder }: Place,
): Promise<readonly FindingDocument[] | null> {
  if (server.state !== "answers") return null;
  const { task } = settingsOfEnvironment(settings.env);
  const asked = await clientOf(server.file, settings).doctor({
    repository: folder,
    settings: task,
  });
  return asked.isErr() ? null : asked.value.findings;
}

interface Place {
  readonly server: FoundServer;
  readonly folder: string;
}

/** Writes only into a temporary folder, which is deleted before the answer. */
async function examineHere(
  settings: Settings,
  { server, folder }: Place,
): Promise<readonly FindingDocument[]> {
  const paths = dataPaths(settings.home);
  const inUse = server.state === "silent" || server.state === "answers";
  const { database, db } = await databaseOf(settings, { paths, inUse });
  const scratch = await mkdtemp(join(tmpdir(), "tazuna-doctor-"));
  try {
    return await examine(patientOf(settings, { paths, scratch, database, db }), folder);
  } finally {
    await db?.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function databaseOf(
  { env, version }: Settings,
  { paths, inUse }: { readonly paths: DataPaths; readonly inUse: boolean },
): Promise<{ readonly database: DatabaseState; readonly db: Database | null }> {
  const joined = (await readWorkerFile(paths.workerFile)).unwrapOr(null);
  const url = env.TAZUNA_DATABASE || joined?.database;
  if (url) return { database: { state: "postgres_not_asked", address: redactUrl(url) }, db: null };
  const look = await inspectSqlite(paths.database, { programVersion: version, inUse });
  if (look.state === "sound") return { database: { state: "sound" }, db: look.db };
  const database = look.state === "unusable" ? { state: look.state, ...look.error } : { state: look.state };
  return { database, db: null };
}

function patientOf(
  { env, selfCommand, ownFolders }: Settings,
  context: Pick<DoctorContext, "paths" | "database" | "db"> & { readonly scratch: string },
): DoctorContext {
  const { paths, db, scratch } = context;
  const probe = createProbe({ env, cwd: scratch });
  const executors = createExecutors({ selfCommand });
  return {
    ...context,
    unexaminedOperations: null,
    keptClones: null,
    owner: null,
    clock: systemClock,
    userEnv: env,
    ownFolders,
    probe,
    executors: new Map(executors.all.map((executor) => [executor.id, executor])),
    sandbox: findSandbox({ platform: process.platform, which: probe.which, scratch }),
    git: createGit({
      binary: "git",
      env,
      timeoutMs: GIT_MS,
      scratch,
      watch: {
        folder: paths.gitSettings,
        isQuiet: async (commonDir) => db !== null && !(await agentsAtWork(db.reader, commonDir)),
        forgets: true,
      },
    }),
    configuration: (repository, settings = {}) =>
      loadConfiguration({ homeFile: paths.config, env, settings }, repository?.path ?? null),
  };
}
