/** Examines everything for the command line: by the engine that works, else in this process, which only looks. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FindingDocument } from "../contract/answers.ts";
import { settingsOfEnvironment } from "../domain/configuration/task-settings.ts";
import type { DatabaseState } from "../domain/doctor/database.ts";
import { type EngineFacts, engineFindings } from "../domain/doctor/engine.ts";
import { createExecutors } from "../executors/registry.ts";
import { redactUrl } from "../git/redact-url.ts";
import { createGit } from "../git/run-git.ts";
import { findSandbox } from "../sandbox/sandbox.ts";
import { loadConfiguration } from "../services/configuration/load-configuration.ts";
import { type DataPaths, dataPaths } from "../services/data-paths.ts";
import { examine } from "../services/doctor/examine.ts";
import type { Patient } from "../services/doctor/patient.ts";
import type { Database } from "../storage/database.ts";
import { lookAtSqlite } from "../storage/look-at-sqlite.ts";
import { agentsAtWork } from "../storage/runs.ts";
import { clientOf, lookForServer, type ServerLook } from "./connect.ts";
import { lookAtEngineLock } from "./engine-lock-look.ts";
import { createProbe } from "./probe.ts";
import type { Settings } from "./settings.ts";

const GIT_MS = 30_000;

/** `folder` is where the command was called. */
export async function doctorEntry(settings: Settings, folder: string): Promise<readonly FindingDocument[]> {
  const server = await lookForServer(settings);
  const wanted = settings.env.TAZUNA_DATABASE;
  const engine = engineFindings({
    engine: factsOf(server),
    lock: await lookAtEngineLock(settings.home),
    ownVersion: settings.version,
    wantedDatabase: wanted ? redactUrl(wanted) : null,
  });
  return [
    ...engine,
    ...((await askEngine(settings, { server, folder })) ?? (await examineHere(settings, { server, folder }))),
  ];
}

function factsOf(server: ServerLook): EngineFacts["engine"] {
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

/** It knows best: its own environment is what runs get. Null where there is none, or one that does not know how. */
async function askEngine(
  { env }: Settings,
  { server, folder }: Place,
): Promise<readonly FindingDocument[] | null> {
  if (server.state !== "answers") return null;
  const { task } = settingsOfEnvironment(env);
  const asked = await clientOf(server.file).doctor({ repository: folder, settings: task });
  return asked.isErr() ? null : asked.value.findings;
}

interface Place {
  readonly server: ServerLook;
  readonly folder: string;
}

/** Nothing is written but in a temporary folder, which goes with the answer. */
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
  const url = env.TAZUNA_DATABASE;
  if (url) return { database: { state: "postgres_not_asked", address: redactUrl(url) }, db: null };
  const look = await lookAtSqlite(paths.database, { programVersion: version, inUse });
  if (look.state === "sound") return { database: { state: "sound" }, db: look.db };
  const database = look.state === "unusable" ? { state: look.state, ...look.error } : { state: look.state };
  return { database, db: null };
}

function patientOf(
  { env, selfCommand }: Settings,
  of: Pick<Patient, "paths" | "database" | "db"> & { readonly scratch: string },
): Patient {
  const { paths, db, scratch } = of;
  const probe = createProbe({ env, cwd: scratch });
  const executors = createExecutors({ selfCommand });
  return {
    ...of,
    unended: null,
    userEnv: env,
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
