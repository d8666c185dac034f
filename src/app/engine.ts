/** Makes the engine of a data folder: takes its lock, opens its database, recovers, and begins to work. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { createRedactor, type Redactor, secretValues } from "../domain/agent/redact.ts";
import type { HostNames } from "../domain/forge/token-hosts.ts";
import { FORGE_TOKENS } from "../domain/forge/token-names.ts";
import { createExecutors } from "../executors/registry.ts";
import { createRepositoryLock } from "../git/repository-lock.ts";
import { createGit } from "../git/run-git.ts";
import { findSandbox } from "../sandbox/sandbox.ts";
import { loadConfiguration } from "../services/configuration/load-configuration.ts";
import { createBell, type ServiceContext } from "../services/context.ts";
import { createServices } from "../services/create-services.ts";
import { type DataPaths, dataPaths } from "../services/data-paths.ts";
import { recoverEngine } from "../services/recover-engine.ts";
import type { Services } from "../services/services.ts";
import { gitMarker } from "../services/wait-for-git.ts";
import { createKnownTrees } from "../services/worktrees/known-trees.ts";
import { type Database, type DatabaseTarget, openDatabase } from "../storage/database.ts";
import { takeEngineLock } from "../storage/engine-lock.ts";
import { agentsAtWork, unfinishedRuns } from "../storage/runs.ts";
import { type StorageError, storageErrorOf } from "../storage/storage-error.ts";
import { systemClock } from "../utils/clock.ts";
import { newId } from "../utils/ids.ts";
import { createKeyedLock } from "../utils/keyed-lock.ts";
import { type DataFolderError, makeDataFolder } from "./data-folder.ts";
import { createFailpoint } from "./failpoint.ts";
import { createLender } from "./lend-credentials.ts";
import { readOutputLimits } from "./output-limits.ts";
import { createProbe } from "./probe.ts";
import type { Settings } from "./settings.ts";
import { readTiming } from "./timing.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Engine {
  readonly services: Services;
  readonly db: Database;
  readonly paths: DataPaths;
  /** Whether nothing works, waits or is queued. */
  isIdle(): Promise<boolean>;
  /** Whether another engine has taken the database over; this one begins nothing more and is to be stopped. */
  isReplaced(): boolean;
  /** Begins nothing more, lets agents work on under their keepers, and lets the data folder go. */
  stop(): Promise<void>;
}

export type EngineError =
  | StorageError
  | DataFolderError
  | {
      readonly code: "engine_running";
      readonly message: string;
      readonly remedy: string;
      /** Whether it works on this data folder, or on another one with the same database. */
      readonly where: "here" | "elsewhere";
    };

const DEFAULT_GIT_MS = 120_000;
const NO_FORGE: HostNames["forge"] = { kind: "auto", api_url: null };
/** How long a stop waits for steps that are under way; what is not done then is done again at the next start. */
const STOP_MS = 10_000;

export async function startEngine(
  settings: Settings,
  options: { readonly database: string | null },
): Promise<Result<Engine, EngineError>> {
  const paths = dataPaths(settings.home);
  const unusable = await makeDataFolder(paths.root);
  if (unusable !== null) return err(unusable);
  const replaced = new AbortController();
  const locks = await takeLocks(paths, { database: options.database, onLost: () => replaced.abort() });
  if (locks.isErr()) return err(locks.error);
  const db = await openDatabase(targetOf(options.database, paths), {
    backupDir: paths.backups,
    programVersion: settings.version,
  });
  if (db.isErr()) {
    await locks.value.release();
    return err(db.error);
  }
  const { release } = locks.value;
  try {
    return ok(await run(settings, { paths, release, replaced: replaced.signal, db: db.value }));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    await db.value.close();
    await release();
    return err(known);
  }
}

interface Locks {
  release(): Promise<void>;
}

/** The data folder's lock, and the Postgres's, which data folders may share. */
async function takeLocks(
  paths: DataPaths,
  of: { readonly database: string | null; readonly onLost: () => void },
): Promise<Result<Locks, EngineError>> {
  const folder = takeEngineLock(paths.root);
  if (folder.isErr()) return err(folder.error);
  if (folder.value === "held") return err(alreadyRunning(paths.root));
  const { release } = folder.value;
  if (of.database === null) return ok({ release: async () => release() });
  const { takePostgresEngineLock } = await import("../storage/postgres-engine-lock.ts");
  const lock = await takePostgresEngineLock({ url: of.database, schema: null }, { onLost: of.onLost });
  if (lock.isOk() && lock.value !== "held") {
    const shared = lock.value;
    return ok({ release: () => shared.release().finally(release) });
  }
  release();
  return err(lock.isErr() ? lock.error : RUNNING_ELSEWHERE);
}

async function run(
  settings: Settings,
  of: {
    readonly paths: DataPaths;
    readonly db: Database;
    readonly release: Locks["release"];
    /** Aborts when another engine has taken the database over. */
    readonly replaced: AbortSignal;
  },
): Promise<Engine> {
  const desk: { dispatcher: Dispatcher | null } = { dispatcher: null };
  const leaving = new AbortController();
  const own = await loadConfiguration({ homeFile: of.paths.config, env: settings.env }, null);
  const context = createContext(settings, {
    ...of,
    gitMs: own.map(({ values }) => values.limits.git_s * 1000).unwrapOr(DEFAULT_GIT_MS),
    forge: own.map(({ values }) => values.forge).unwrapOr(NO_FORGE),
    leaving: leaving.signal,
    dispatcher: () => {
      if (desk.dispatcher === null) throw new Error("the dispatcher is not there yet");
      return desk.dispatcher;
    },
  });
  const { dispatcher, stopWaking } = createWorkQueue(context);
  desk.dispatcher = dispatcher;
  const replaced = () => {
    process.stderr.write(`${systemClock.iso()} the database: ${REPLACED.message}\n`);
    leaving.abort();
    void dispatcher.stop();
  };
  of.replaced.addEventListener("abort", replaced, { once: true });
  if (of.replaced.aborted) replaced();
  await recoverEngine(context).catch((error: unknown) => {
    stopWaking();
    throw error;
  });
  dispatcher.poke();
  return {
    services: createServices(context),
    db: of.db,
    paths: of.paths,
    isIdle: () => isIdle(of.db, dispatcher),
    isReplaced: () => of.replaced.aborted,
    stop: async () => {
      stopWaking();
      leaving.abort();
      await Promise.race([dispatcher.stop(), delay(STOP_MS, undefined, { ref: false })]);
      await of.db.close();
      await of.release();
    },
  };
}

async function isIdle(db: Database, dispatcher: Dispatcher): Promise<boolean> {
  const unfinished = await unfinishedRuns(db.reader);
  return dispatcher.active().length === 0 && unfinished.every((run) => run.held);
}

function createContext(
  settings: Settings,
  of: Pick<ServiceContext, "paths" | "db" | "leaving" | "dispatcher"> & {
    readonly gitMs: number;
    readonly forge: HostNames["forge"];
  },
): ServiceContext {
  const { env, selfCommand } = settings;
  const reported = redactorOf(settings);
  const executors = createExecutors({ selfCommand });
  const probe = createProbe({ env, cwd: of.paths.root });
  const marker = gitMarker(of.paths.root);
  return {
    db: of.db,
    git: createGit({
      binary: "git",
      env: { ...env, [marker.name]: marker.value },
      timeoutMs: of.gitMs,
      scratch: of.paths.scratch,
      watch: {
        folder: of.paths.gitSettings,
        isQuiet: async (commonDir) => !(await agentsAtWork(of.db.reader, commonDir)),
      },
      lend: createLender(settings.tokens, { env, forge: of.forge }, { selfCommand }),
      redact: reported.text,
    }),
    locks: createRepositoryLock(),
    knownTrees: createKnownTrees(),
    attemptLock: createKeyedLock(),
    executors: new Map(executors.all.map((executor) => [executor.id, executor])),
    probe,
    sandbox: findSandbox({
      platform: process.platform,
      which: probe.which,
      scratch: of.paths.scratch,
    }),
    paths: of.paths,
    clock: systemClock,
    newId,
    owner: newId(),
    userEnv: env,
    tokens: Object.values(settings.tokens),
    selfCommand,
    ownFolders: settings.ownFolders,
    timing: readTiming(env),
    outputLimits: readOutputLimits(env),
    configuration: (repository, taskSettings = {}) =>
      loadConfiguration({ homeFile: of.paths.config, env, settings: taskSettings }, repository?.path ?? null),
    dispatcher: of.dispatcher,
    leaving: of.leaving,
    ...nothingBegun(),
    bell: createBell(),
    failpoint: createFailpoint(env),
    reportFault: (what, error) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${new Date().toISOString()} ${reported.text(`${what}: ${text}`)}\n`);
    },
  };
}

/** What an engine keeps in mind of its own work. */
function nothingBegun(): Pick<ServiceContext, "standby" | "driving" | "cleaning" | "unended"> {
  return { standby: new Map(), driving: new Map(), cleaning: new Map(), unended: new Set() };
}

/** For what an engine says of itself and of git. */
function redactorOf({ env, tokens }: Settings): Redactor {
  return createRedactor({
    values: [...Object.values(tokens), ...secretValues(env, { names: FORGE_TOKENS })],
  });
}

function targetOf(database: string | null, paths: DataPaths): DatabaseTarget {
  return database === null ? { kind: "sqlite", file: paths.database } : { kind: "postgres", url: database };
}

function alreadyRunning(root: string): EngineError {
  return {
    code: "engine_running",
    message: `Another Tazuna works on ${root}.`,
    remedy:
      "Use it: `tazuna open` opens its page, and every command finds it by itself. Or set TAZUNA_HOME to another folder.",
    where: "here",
  };
}

/** What ends an engine whose database another one has taken over. */
export const REPLACED = {
  code: "engine_replaced",
  message: "Another Tazuna took the database over while the connection to it was broken; this one ends.",
  remedy: "Use that one, or stop it and start this one again.",
} as const;

const RUNNING_ELSEWHERE: EngineError = {
  code: "engine_running",
  message: "Another Tazuna, with another data folder, works on this database.",
  remedy: "Use that data folder (TAZUNA_HOME), stop that Tazuna, or name another database.",
  where: "elsewhere",
};
