/** Reads the queue for the dispatcher: which runs wait, which may not begin yet, how many may work at once. */

import { hasAgent, seenByRun } from "../../domain/attempt/seen-by-run.ts";
import type { Configuration } from "../../domain/configuration/schema.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { repositoryKey } from "../../domain/repository/repository-key.ts";
import type { Run } from "../../domain/run/run.ts";
import {
  diskFloor,
  type QueuedRun,
  type SchedulingFacts,
  type SharedSlot,
  type Slots,
} from "../../domain/run/scheduling.ts";
import { hasBegun, isParked, stillWaits } from "../../domain/run/waiting.ts";
import { loginHolds } from "../../storage/tables/login-holds.ts";
import { heldElsewhere, newerRuns, slotsInUse } from "../../storage/tables/run-lease.ts";
import { unfinishedRuns } from "../../storage/tables/runs.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { loginOf } from "../agents/login-of.ts";
import { agentOf } from "../agents/resolve-agent.ts";
import { repositoryFilesOf, stampOf } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { leftToOthers, ownWorker } from "../core/held-elsewhere.ts";

interface QueueReader {
  gather(): Promise<Omit<SchedulingFacts, "active">>;
  slotsOf(run: QueuedRun): Slots;
  /** The earliest time (UTC ISO) at which something that waits now may begin; null if nothing waits for a time. */
  nextWake(): string | null;
  /** Whether a configuration has changed since the last look, of a repository that had runs in the queue then. */
  settingsChanged(): Promise<boolean>;
}

const DEFAULT_SLOTS: Slots = { parallel: 8, perRepository: 8, perLogin: 4 };

type ReaderContext = Uses<
  "db" | "executors" | "paths" | "clock" | "configuration" | "drivers" | "owner" | "lackingClones"
>;

/** A reader of the queue; the limits are those of each run's repository. */
export function createQueueReader(context: ReaderContext): QueueReader {
  const slots = new Map<string, Slots>();
  let wake: string | null = null;
  let stamps: ReadonlyMap<string, string> = new Map();

  const gather = async (): Promise<Omit<SchedulingFacts, "active">> => {
    const now = context.clock.iso();
    const runs = await unfinishedRuns(context.db.reader);
    const holds = await loginHolds(context.db.reader);
    const held = holds.filter(({ createdAt, resumeAt }) =>
      stillWaits({ began: createdAt, until: resumeAt }, now),
    );
    const elsewhere = await workedElsewhere(context, runs);
    const others = new Set([...(await leftToOthers(context, runs)), ...(await newerRuns(context.db.reader))]);
    const idle = runs.filter(
      (run) => !context.drivers.has(run.id) && !elsewhere.has(run.id) && !others.has(run.id),
    );
    const later = idle.filter((run) => waitsUntil(run, now));
    const queued: QueuedRun[] = [];
    const { configurations, noted } = rememberConfigurations(context);
    const { beginsNothing, stopsAt, labels } = await ownStanding(context);
    for (const run of idle.filter((one) => !later.includes(one))) {
      const entry = await entryOf(context, run, { slots, configurations, labels });
      if (entry !== null) queued.push(entry);
    }
    stamps = noted;
    const isFull = await diskBelowFloor(context);
    wake = earliest([
      ...later.map((run) => run.resumeAt),
      ...held.map((hold) => hold.resumeAt),
      // There is no event when there is room again.
      isFull && queued.length > 0 ? inFrom(context, DISK_POLL_MS) : null,
      ...nextTries(context, queued),
      stopsAt,
      // Nobody tells that an owner is gone.
      ...[...elsewhere.values()].map((ms) => inFrom(context, ms)),
    ]);
    return {
      queued: [...queued.filter((run) => run.begun), ...queued.filter((run) => !run.begun)],
      busyAttempts: new Set(
        runs
          .filter((run) => later.includes(run) || elsewhere.has(run.id) || others.has(run.id))
          .map((run) => run.attemptId),
      ),
      heldLogins: new Map(held.map((hold) => [hold.login, hold.resumeAt])),
      ...{ elsewhere: await slotsOfOthers(context), diskBelowFloor: isFull, beginsNothing },
    };
  };

  return {
    gather,
    slotsOf: (run) => slots.get(run.repositoryId) ?? DEFAULT_SLOTS,
    nextWake: () => wake,
    settingsChanged: async () => {
      for (const [path, stamp] of stamps) if ((await stampOf(filesOf(context, path))) !== stamp) return true;
      return false;
    },
  };
}

/** Waits for a person without a process, or until its provider's limit is over. A run that is to be stopped waits for nothing. */
function waitsUntil(run: Run, now: string): boolean {
  const { phase, stopRequest, agentStartedAt, resumeAt } = run;
  if (phase !== "waiting" || stopRequest !== null) return false;
  if (resumeAt === null) return isParked(run);
  return stillWaits({ began: agentStartedAt ?? "", until: resumeAt ?? "" }, now);
}

type Configurations = (repository: Repository) => Promise<Configuration | null>;

/** Reads each repository's files once for one look at the queue. Notes by its path how they looked before. */
function rememberConfigurations(context: Uses<"paths" | "configuration">) {
  const known = new Map<string, Promise<Configuration | null>>();
  const noted = new Map<string, string>();
  const read = async (repository: Repository) => {
    noted.set(repository.path, await stampOf(filesOf(context, repository.path)));
    const result = await context.configuration(repository);
    return result.map(({ values }) => values).unwrapOr(null);
  };
  const configurations: Configurations = (repository) => {
    const reading = known.get(repository.id) ?? read(repository);
    known.set(repository.id, reading);
    return reading;
  };
  return { configurations, noted };
}

function filesOf({ paths }: Uses<"paths">, repositoryPath: string): readonly string[] {
  return [...repositoryFilesOf(repositoryPath), paths.config];
}

async function entryOf(
  context: Uses<"db" | "owner" | "executors" | "clock" | "lackingClones">,
  run: Run,
  {
    slots,
    configurations,
    labels,
  }: {
    readonly slots: Map<string, Slots>;
    readonly configurations: Configurations;
    readonly labels: readonly string[];
  },
): Promise<QueuedRun | null> {
  const place = await findPlace(context.db.reader, run.attemptId);
  if (place === null) return null;
  const { task, attempt, repository } = place;
  const configuration = await configurations(repository);
  if (configuration !== null) {
    const { parallel, per_repository: perRepository, per_login: perLogin } = configuration.limits;
    slots.set(repository.id, { parallel, perRepository, perLogin });
  }
  const seen = seenByRun(attempt, run);
  const agent =
    configuration &&
    agentOf(context, { attempt: seen, configuration: { values: configuration } }).unwrapOr(null);
  return {
    id: run.id,
    attemptId: attempt.id,
    repositoryId: repository.id,
    repositoryKey: repositoryKey(repository, ownWorker(context)),
    login: hasAgent(run) && agent !== null ? loginOf(context, agent) : null,
    begun: hasBegun(run),
    held: run.held,
    triesNow: run.options.triesNow === true,
    // What has a worktree here goes on here.
    ...(attempt.gitDir === null ? lackingLabels(labels, task.onLabels) : {}),
    ...(await lackingClone(context, run, repository)),
  };
}

/** One that is to be stopped needs no clone to end. */
async function lackingClone(
  { clock, lackingClones }: Uses<"clock" | "lackingClones">,
  { id, stopRequest }: Run,
  { commonDir }: Repository,
): Promise<Pick<QueuedRun, "lacksClone">> {
  const lack = lackingClones.get(id);
  if (lack === undefined || stopRequest !== null || !stillWaits(lack, clock.iso())) return {};
  return (await isThere(commonDir)) ? {} : { lacksClone: { until: lack.until, why: lack.why } };
}

/** The part of an entry that names the labels that its worker lacks, if it lacks some. */
export function lackingLabels(own: readonly string[], wanted: readonly string[]): Pick<QueuedRun, "lacking"> {
  const lacking = wanted.filter((label) => !own.includes(label));
  return lacking.length === 0 ? {} : { lacking };
}

/** Why this worker begins nothing, and when those that go on then are stopped; null if never, or by now. */
async function ownStanding(context: Uses<"db" | "owner" | "clock">) {
  const own = ownWorker(context);
  if (own === null) return { beginsNothing: null, stopsAt: null, labels: [] };
  const { begins, clockIsOff, stopsInMs, labels } = await standingOf(context.db.reader, own);
  const isAhead = stopsInMs !== null && stopsInMs > 0;
  const beginsNothing = begins ? null : clockIsOff ? ("clock_off" as const) : ("draining" as const);
  return { beginsNothing, stopsAt: isAhead ? inFrom(context, stopsInMs) : null, labels };
}

const DISK_POLL_MS = 15_000;

function inFrom(context: Uses<"clock">, ms: number): string {
  return new Date(context.clock.now().getTime() + ms).toISOString();
}

/** What other workers work on, as it counts for the limits. An SQLite is not asked. */
async function slotsOfOthers(context: Uses<"db" | "owner">): Promise<readonly SharedSlot[]> {
  const own = ownWorker(context);
  if (own === null) return [];
  return (await slotsInUse(context.db.reader)).filter(({ worker }) => worker !== own);
}

/** Runs that another owner works on, and for how long at least. */
async function workedElsewhere(
  { db, owner }: Uses<"db" | "owner">,
  runs: readonly Run[],
): Promise<ReadonlyMap<string, number>> {
  if (runs.every(({ lease }) => lease === null || lease.owner === owner)) return new Map();
  return heldElsewhere(db.reader, owner);
}

/** When clones that are lacking are looked for again. There is no event either when a person clones. */
function nextTries(context: Uses<"clock">, queued: readonly QueuedRun[]): readonly string[] {
  const untils = queued.flatMap(({ lacksClone }) => lacksClone?.until ?? []);
  return untils.length === 0 ? [] : [...untils, inFrom(context, DISK_POLL_MS)];
}

async function diskBelowFloor(context: Uses<"paths">): Promise<boolean> {
  const { free, total } = await freeSpace(context.paths.root);
  return free < diskFloor(total);
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((at) => at !== null).sort()[0] ?? null;
}
