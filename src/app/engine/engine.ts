/** Makes the engine of a data folder: takes its lock, opens its database, recovers, and begins to work. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { HostNames } from "../../domain/forge/token-hosts.ts";
import { createExecutors } from "../../executors/registry.ts";
import { createForges } from "../../forge/open/open-forge.ts";
import { createRepositoryLock } from "../../git/runner/repository-lock.ts";
import { createGit } from "../../git/runner/run-git.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { loadConfiguration } from "../../services/configuration/load-configuration.ts";
import { createNotifier, type ServiceContext } from "../../services/core/context.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { type DataPaths, dataPaths } from "../../services/core/data-paths.ts";
import { createKnownTrees } from "../../services/core/known-trees.ts";
import type { Services } from "../../services/core/services.ts";
import { createShells } from "../../services/core/shells.ts";
import { gitMarker } from "../../services/core/wait-for-git.ts";
import { createServices } from "../../services/create-services.ts";
import { notifyPeople } from "../../services/notify/notify-people.ts";
import { type AnswerDesk, createAnswerDesk } from "../../services/placing/answer-asked.ts";
import { recoverEngine } from "../../services/recover-engine.ts";
import { endTerminals } from "../../services/terminals/end-terminals.ts";
import { type DatabaseTarget, openDatabase } from "../../storage/database.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { agentsAtWork } from "../../storage/tables/runs.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { createKeyedLock } from "../../utils/locks/keyed-lock.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { newId } from "../../utils/values/ids.ts";
import { makeDataFolder } from "../process/data-folder.ts";
import type { Settings } from "../process/settings.ts";
import { type EndedByOthers, REPLACED, WORKER_REMOVED } from "./ended-by-others.ts";
import { type EngineError, type EngineLocks, takeLocks } from "./engine-locks.ts";
import { createFailpoint } from "./failpoint.ts";
import { isIdle } from "./is-idle.ts";
import { readOutputLimits, readTiming } from "./limits.ts";
import { configurationReader } from "./read-configuration.ts";
import { createShellParts, shellMaker } from "./shell-parts.ts";
import { createOthers } from "./team.ts";
import { startWatches, type Watches } from "./watches.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Engine {
  readonly services: Services;
  readonly db: Database;
  readonly paths: DataPaths;
  /** Whether nothing is left to do: no run that is not over, no clone, no pull request that waits. */
  isIdle(): Promise<boolean>;
  /** What others did so that this engine begins nothing more and has to be stopped; null while it works. */
  endedBy(): EndedByOthers | null;
  /** From now on what other workers ask this one is answered, by its API. */
  readonly answerOthers: AnswerDesk["open"];
  /** From now on the webhook of the person's settings is told what needs them; `pageOf` names an attempt's page. */
  notifyPeople(pageOf: (attemptId: string) => string): void;
  /** Begins nothing more, leaves the agents to their keepers, and releases the data folder. */
  stop(): Promise<void>;
}

const DEFAULT_GIT_MS = 120_000;
const NO_FORGE: HostNames["forge"] = { kind: "auto", api_url: null };
/** How long a stop waits for steps that are under way. The next start repeats the steps that were not done. */
const STOP_MS = 10_000;

export async function startEngine(
  settings: Settings,
  options: { readonly database: string | null },
): Promise<Result<Engine, EngineError>> {
  const paths = dataPaths(settings.home);
  const unusable = await makeDataFolder(paths.root);
  if (unusable !== null) return err(unusable);
  const replaced = new AbortController();
  const locks = await takeLocks(paths, {
    database: options.database,
    onLost: () => replaced.abort(REPLACED),
  });
  if (locks.isErr()) return err(locks.error);
  const db = await openDatabase(targetOf(options.database, paths), {
    backupDir: paths.backups,
    programVersion: settings.version,
    mayMigrate: locks.value.isAlone,
  });
  if (db.isErr()) {
    await locks.value.release();
    return err(db.error);
  }
  const { release, share, worker: owner } = locks.value;
  try {
    await share();
    if ((await standingOf(db.value.reader, owner)).isRemoved) {
      await db.value.close();
      await release();
      return err(WORKER_REMOVED);
    }
    const opened = { paths, owner, release, replaced, db: db.value };
    return ok(await run(settings, opened));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    await db.value.close();
    await release();
    return err(known);
  }
}

async function run(
  settings: Settings,
  opened: {
    readonly paths: DataPaths;
    readonly owner: string;
    readonly db: Database;
    readonly release: EngineLocks["release"];
    /** Aborts when another engine has taken the database over, or this worker was removed, with an `EndedByOthers`. */
    readonly replaced: AbortController;
  },
): Promise<Engine> {
  const dispatcherRef: { current: Dispatcher | null } = { current: null };
  const engineStop = new AbortController();
  const others = createOthers(opened.db.kind);
  const engineConfiguration = await loadConfiguration(
    { homeFile: opened.paths.config, env: settings.env },
    null,
  );
  const context = createContext(settings, {
    ...opened,
    gitMs: engineConfiguration.map(({ values }) => values.limits.git_s * 1000).unwrapOr(DEFAULT_GIT_MS),
    forge: engineConfiguration.map(({ values }) => values.forge).unwrapOr(NO_FORGE),
    engineStop: engineStop.signal,
    dispatcher: () => {
      if (dispatcherRef.current === null) throw new Error("the dispatcher is not there yet");
      return dispatcherRef.current;
    },
    team: () => others.link,
  });
  const { dispatcher, stopWaking } = createWorkQueue(context);
  dispatcherRef.current = dispatcher;
  const { signal: replaced } = opened.replaced;
  const giveUp = () => {
    const { message } = replaced.reason as EndedByOthers;
    process.stderr.write(`${systemClock.iso()} the database: ${message}\n`);
    engineStop.abort();
    void dispatcher.stop();
  };
  replaced.addEventListener("abort", giveUp, { once: true });
  if (replaced.aborted) giveUp();
  await recoverEngine(context).catch((error: unknown) => {
    stopWaking();
    throw error;
  });
  dispatcher.poke();
  const work = { dispatcher, stopWaking, halt: () => engineStop.abort() };
  const desk = createAnswerDesk(context);
  const watches = await startWatches(context, {
    ...{ version: settings.version, others, desk },
    onRemoved: () => opened.replaced.abort(WORKER_REMOVED),
  });
  return workingEngine(context, { ...opened, ...work, replaced, watches, desk });
}

/** An engine that has recovered, and works. */
function workingEngine(
  context: ServiceContext,
  engine: {
    readonly dispatcher: Dispatcher;
    readonly stopWaking: () => void;
    readonly halt: () => void;
    readonly release: EngineLocks["release"];
    readonly replaced: AbortSignal;
    readonly watches: Watches;
    readonly desk: AnswerDesk;
  },
): Engine {
  const { dispatcher } = engine;
  let notified = Promise.resolve();
  return {
    services: createServices(context),
    db: context.db,
    paths: context.paths,
    isIdle: () => isIdle(context, dispatcher),
    endedBy: () => (engine.replaced.aborted ? (engine.replaced.reason as EndedByOthers) : null),
    answerOthers: engine.desk.open,
    notifyPeople: (pageOf) => {
      notified = notifyPeople(context, { pageOf }).catch((error) =>
        context.reportFault("notifications", error),
      );
    },
    stop: async () => {
      engine.stopWaking();
      const { ended: unwatched, left } = engine.watches.stop();
      engine.halt();
      const ended = Promise.all([
        unwatched,
        dispatcher.stop(),
        engine.desk.settled(),
        notified,
        endTerminals(context, null),
        ...context.baseChecks.values(),
      ]);
      await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
      await left();
      await context.db.close();
      await engine.release();
    },
  };
}

function createContext(
  settings: Settings,
  parts: Uses<"paths" | "db" | "engineStop" | "dispatcher" | "team" | "owner"> & {
    readonly gitMs: number;
    readonly forge: HostNames["forge"];
  },
): ServiceContext {
  const { env, selfCommand } = settings;
  const { gitMs, forge: known, ...given } = parts;
  const { paths, db } = given;
  const executors = createExecutors({ selfCommand });
  const { configuration, forge } = configurationReader({ homeFile: paths.config, env }, known);
  const shared = {
    surroundings: [settings] as const,
    root: paths.root,
    marker: gitMarker(paths.root),
    forge,
    selfCommand,
  };
  const shellParts = createShellParts(shared);
  const git = createGit({
    binary: "git",
    ...shellParts.git,
    timeoutMs: gitMs,
    scratch: paths.scratch,
    watch: {
      folder: paths.gitSettings,
      isQuiet: async (commonDir) => !(await agentsAtWork(db.reader, commonDir)),
    },
  });
  return {
    ...given,
    ...shellParts,
    git,
    shells: createShells(shellMaker(shared, git)),
    shell: null,
    locks: createRepositoryLock(),
    knownTrees: createKnownTrees(),
    attemptLock: createKeyedLock(),
    executors: new Map(executors.all.map((executor) => [executor.id, executor])),
    sandbox: findSandbox({
      platform: process.platform,
      which: shellParts.probe.which,
      scratch: paths.scratch,
    }),
    clock: systemClock,
    newId,
    selfCommand,
    ownFolders: settings.ownFolders,
    timing: readTiming(env),
    outputLimits: readOutputLimits(env),
    configuration,
    ...nothingBegun(),
    newFacts: createNotifier(),
    failpoint: createFailpoint(env),
  };
}

/** What an engine remembers of its own work, and of what forges answered. */
function nothingBegun(): Uses<
  | "openForge"
  | "forgeLogins"
  | "forgeNews"
  | "standby"
  | "leases"
  | "drivers"
  | "baseChecks"
  | "terminals"
  | "diskFullRuns"
  | "cleanUpRetries"
  | "unexaminedOperations"
> {
  return {
    openForge: createForges(),
    forgeLogins: new Map(),
    forgeNews: createNotifier(),
    standby: new Map(),
    leases: new Map(),
    drivers: new Map(),
    baseChecks: new Map(),
    terminals: new Map(),
    diskFullRuns: new Set(),
    cleanUpRetries: new Map(),
    unexaminedOperations: new Set(),
  };
}

function targetOf(database: string | null, paths: DataPaths): DatabaseTarget {
  return database === null ? { kind: "sqlite", file: paths.database } : { kind: "postgres", url: database };
}
