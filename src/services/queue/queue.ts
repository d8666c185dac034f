/** Reads the queue for the dispatcher: which runs wait, which may not begin yet, how many may work at once. */

import { agentSeenByRun, hasAgent } from "../../domain/attempt/seen-by-run.ts";
import type { Configuration } from "../../domain/configuration/schema.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { repositoryKey } from "../../domain/repository/repository-key.ts";
import {
  diskFloor,
  type QueuedRun,
  type SchedulingFacts,
  type SharedSlot,
  type Slots,
} from "../../domain/run/scheduling.ts";
import { hasBegun, isParked, stillWaits } from "../../domain/run/waiting.ts";
import { type InQueue, queueOfWorker } from "../../storage/queries/queue-of-worker.ts";
import { loginHolds } from "../../storage/tables/login-holds.ts";
import { getRepository } from "../../storage/tables/repositories.ts";
import { slotsInUse } from "../../storage/tables/run-lease.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { loginOf } from "../agents/login-of.ts";
import { agentOf } from "../agents/resolve-agent.ts";
import { repositoryFilesOf, stampOf } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { isLeftToOthers, ownWorker } from "../core/held-elsewhere.ts";

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
    const worker = ownWorker(context);
    const runs = await queueOfWorker(context.db.reader, { owner: context.owner, worker });
    const holds = await loginHolds(context.db.reader);
    const held = holds.filter(({ createdAt, resumeAt }) =>
      stillWaits({ began: createdAt, until: resumeAt }, now),
    );
    const idle = runs.filter((each) => !context.drivers.has(each.run.id) && !isBusyElsewhere(each, worker));
    const later = new Set(idle.filter(({ run }) => waitsUntil(run, now)));
    const { beginsNothing, stopsAt, labels } = await ownStanding(context);
    const { configurations, noted } = rememberConfigurations(context);
    const repositories = rememberRepositories(context);
    const queued: QueuedRun[] = [];
    for (const each of idle.filter((one) => !later.has(one))) {
      const entry = await entryOf(context, each, { slots, configurations, repositories, labels });
      if (entry !== null) queued.push(entry);
    }
    stamps = noted;
    const isFull = await diskBelowFloor(context);
    wake = earliest([
      ...[...later].map(({ run }) => run.resumeAt),
      ...held.map((hold) => hold.resumeAt),
      // There is no event when there is room again.
      isFull && queued.length > 0 ? inFrom(context, DISK_POLL_MS) : null,
      ...nextTries(context, queued),
      stopsAt,
      // Nobody tells that an owner is gone.
      ...runs.flatMap(({ elsewhereForMs: ms }) => (ms === null ? [] : inFrom(context, ms))),
    ]);
    return {
      queued: [...queued.filter((run) => run.begun), ...queued.filter((run) => !run.begun)],
      busyAttempts: new Set(
        runs
          .filter((each) => later.has(each) || isBusyElsewhere(each, worker))
          .map(({ run }) => run.attemptId),
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

/** Another worker works on it, or is to do so; or it is left to a newer program. */
function isBusyElsewhere(each: InQueue, worker: string | null): boolean {
  return each.elsewhereForMs !== null || each.isNewer || (worker !== null && isLeftToOthers(each, worker));
}

/** Waits for a person without a process, or until its provider's limit is over. A run that is to be stopped waits for nothing. */
function waitsUntil(run: InQueue["run"], now: string): boolean {
  const { phase, stopRequest, agentStartedAt, resumeAt } = run;
  if (phase !== "waiting" || stopRequest !== null) return false;
  if (resumeAt === null) return isParked(run);
  return stillWaits({ began: agentStartedAt ?? "", until: resumeAt ?? "" }, now);
}

/** Reads each repository once for one look at the queue. */
function rememberRepositories({ db }: Uses<"db">): (id: string) => Promise<Repository | null> {
  const known = new Map<string, Promise<Repository | null>>();
  return (id) => {
    const reading = known.get(id) ?? getRepository(db.reader, id);
    known.set(id, reading);
    return reading;
  };
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

interface Known {
  readonly slots: Map<string, Slots>;
  readonly configurations: Configurations;
  readonly repositories: (id: string) => Promise<Repository | null>;
  readonly labels: readonly string[];
}

async function entryOf(
  context: Uses<"db" | "owner" | "executors" | "clock" | "lackingClones">,
  { run, attempt, onLabels }: InQueue,
  { slots, configurations, repositories, labels }: Known,
): Promise<QueuedRun | null> {
  const repository = await repositories(attempt.repositoryId);
  if (repository === null) return null;
  const configuration = await configurations(repository);
  if (configuration !== null) {
    const { parallel, per_repository: perRepository, per_login: perLogin } = configuration.limits;
    slots.set(repository.id, { parallel, perRepository, perLogin });
  }
  const seen = agentSeenByRun(attempt, run);
  const agent =
    configuration &&
    agentOf(context, { attempt: seen, configuration: { values: configuration } }).unwrapOr(null);
  return {
    id: run.id,
    attemptId: run.attemptId,
    repositoryId: repository.id,
    repositoryKey: repositoryKey(repository, ownWorker(context)),
    login: hasAgent(run) && agent !== null ? loginOf(context, agent) : null,
    begun: hasBegun(run),
    held: run.held,
    triesNow: run.options.triesNow === true,
    // What has a worktree here goes on here.
    ...(attempt.hasWorktree ? {} : lackingLabels(labels, onLabels)),
    ...(await lackingClone(context, run, repository)),
  };
}

/** One that is to be stopped needs no clone to end. */
async function lackingClone(
  { clock, lackingClones }: Uses<"clock" | "lackingClones">,
  { id, stopRequest }: InQueue["run"],
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
