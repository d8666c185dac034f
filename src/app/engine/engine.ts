/** Makes the engine of a data folder: takes its lock, opens its database, recovers, and begins to work. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { HostNames } from "../../domain/forge/token-hosts.ts";
import { loadConfiguration } from "../../services/configuration/load-configuration.ts";
import type { ServiceContext } from "../../services/core/context.ts";
import { type DataPaths, dataPaths } from "../../services/core/data-paths.ts";
import type { Services } from "../../services/core/services.ts";
import { createServices } from "../../services/create-services.ts";
import { forgetMoveTrouble } from "../../services/log-chunks/move-trouble.ts";
import { notifyPeople } from "../../services/notify/notify-people.ts";
import { type AnswerDesk, createAnswerDesk } from "../../services/placing/answer-asked.ts";
import { recoverEngine } from "../../services/recover-engine.ts";
import { endTerminals } from "../../services/terminals/end-terminals.ts";
import { readWorkerFile, type WorkerFile } from "../../services/workers/worker-file.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { storageErrorOf } from "../../storage/schema/storage-error.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { type EngineDepot, engineDepot } from "../depot/open-depot.ts";
import { movingOldLogs } from "../logs/old-logs.ts";
import { makeDataFolder } from "../process/data-folder.ts";
import type { Settings } from "../process/settings.ts";
import { createContext } from "./create-context.ts";
import { type EndedByOthers, REPLACED, WORKER_REMOVED } from "./ended-by-others.ts";
import { type EngineError, type EngineLocks, takeLocks } from "./engine-locks.ts";
import { isIdle } from "./is-idle.ts";
import { openPlace, type Place, placeOf } from "./place.ts";
import { createOthers, type Others } from "./team.ts";
import { startWatches, type Watches } from "./watches.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Engine {
  readonly services: Services;
  readonly db: Database;
  readonly paths: DataPaths;
  /** The address of its Postgres; null for the data folder's own database. */
  readonly database: string | null;
  /** What the data folder got when it joined a server; null if this engine works on no such address. */
  readonly joined: WorkerFile | null;
  /** Whether nothing is left to do: no run that is not over, no clone, no pull request that waits. */
  isIdle(): Promise<boolean>;
  /** What others did so that this engine begins nothing more and has to be stopped; null while it works. */
  endedBy(): EndedByOthers | null;
  /** From now on what other workers ask this one is answered, by its API. */
  readonly answerOthers: AnswerDesk["open"];
  readonly depot: EngineDepot;
  /** From now on old logs go to that place (`logPlaceText`); null moves none. */
  moveLogs(place: string | null): void;
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
  options: { readonly database: string | null; readonly labels?: readonly string[] },
): Promise<Result<Engine, EngineError>> {
  const paths = dataPaths(settings.home);
  const unusable = await makeDataFolder(paths.root);
  if (unusable !== null) return err(unusable);
  const file = await readWorkerFile(paths.workerFile);
  if (file.isErr()) return err(file.error);
  const replaced = new AbortController();
  const place = placeOf(options.database, file.value);
  const locks = await takeLocks(paths, {
    database: place.database,
    onLost: () => replaced.abort(REPLACED),
  });
  if (locks.isErr()) return err(locks.error);
  const { release, share, isAlone, worker: owner } = locks.value;
  const db = await openPlace(settings, place, { paths, isAlone });
  if (db.isErr()) {
    await release();
    return err(db.error);
  }
  try {
    await share();
    if ((await standingOf(db.value.reader, owner)).isRemoved) {
      await db.value.close();
      await release();
      return err(WORKER_REMOVED);
    }
    const opened = { paths, owner, release, replaced, db: db.value, place };
    const { version } = settings;
    const told = { version, ...(options.labels === undefined ? {} : { labels: options.labels }) };
    return ok(await run(settings, { ...opened, told }));
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
    readonly place: Place;
    readonly told: Parameters<typeof startWatches>[1]["told"];
  },
): Promise<Engine> {
  const dispatcherRef: { current: Dispatcher | null } = { current: null };
  const engineStop = new AbortController();
  const others = createOthers(opened.db.kind);
  const engineConfiguration = await loadConfiguration(
    { homeFile: opened.paths.config, env: settings.env },
    null,
  );
  const { database, joined } = opened.place;
  const context = createContext(settings, {
    ...opened,
    programVersion: settings.version,
    postgresAddress: joined === null ? database : null,
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
  const work = { dispatcher, chore: others.chore, stopWaking, halt: () => engineStop.abort() };
  const desk = createAnswerDesk(context);
  const watches = await startWatches(context, {
    ...{ told: opened.told, others, desk },
    onRemoved: () => opened.replaced.abort(WORKER_REMOVED),
  });
  // By now the database knows whether this worker's clock lets it begin anything.
  dispatcher.poke();
  return workingEngine(context, { ...opened, ...work, replaced, watches, desk });
}

/** An engine that has recovered, and works. */
function workingEngine(
  context: ServiceContext,
  engine: {
    readonly dispatcher: Dispatcher;
    readonly chore: Others["chore"];
    readonly stopWaking: () => void;
    readonly halt: () => void;
    readonly release: EngineLocks["release"];
    readonly replaced: AbortSignal;
    readonly place: Place;
    readonly watches: Watches;
    readonly desk: AnswerDesk;
  },
): Engine {
  const { dispatcher, chore } = engine;
  let notified = Promise.resolve();
  return {
    services: createServices(context),
    db: context.db,
    paths: context.paths,
    database: engine.place.database,
    joined: engine.place.joined,
    isIdle: () => isIdle(context, dispatcher),
    endedBy: () => (engine.replaced.aborted ? (engine.replaced.reason as EndedByOthers) : null),
    answerOthers: engine.desk.open,
    depot: engineDepot(context, chore),
    moveLogs: (place) => {
      if (place !== null) return chore(movingOldLogs(context, place));
      void forgetMoveTrouble(context).catch((error) => context.reportFault("old logs", error));
    },
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
        ...[...context.clonesBeside.values()].map((clone) => clone.ended),
      ]);
      await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
      await left();
      await context.db.close();
      await engine.release();
    },
  };
}
