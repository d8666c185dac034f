/** Joins runs with facts outside their rows: the patch on the disk, the last action, what they wait for. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { actorSchema } from "../../domain/actor.ts";
import { readUsage, USAGE } from "../../domain/agent/usage-fact.ts";
import type { Fact } from "../../domain/operation.ts";
import { ruleTexts } from "../../domain/question/answer-rule.ts";
import type { Question } from "../../domain/question/question.ts";
import { questionToAnswer } from "../../domain/question/take-answer.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import { isQueued } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { type Waiting, waitingFor, waitingNow } from "../../domain/run/waiting.ts";
import { stateNow } from "../../domain/worker/worker.ts";
import { KEEPER_FILES } from "../../keeper/files.ts";
import { runsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import { checksOfRuns } from "../../storage/tables/checks.ts";
import { latestFacts } from "../../storage/tables/facts.ts";
import { questionsOfRuns } from "../../storage/tables/questions.ts";
import { positionsInQueue } from "../../storage/tables/run-queue.ts";
import { olderWorkers } from "../../storage/team/waiting-runs.ts";
import { listWorkers } from "../../storage/team/workers.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { RunView } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { WAITS } from "../queue/tell-waiting.ts";
import { patchFile } from "../run-core/take-patch.ts";

const MAY_WAIT: ReadonlySet<string> = new Set(["queued", "preparing", "waiting"]);

/** One view of each run, in the order of the runs. */
export async function runViews(
  context: Uses<"db" | "owner" | "paths" | "diskFullRuns">,
  runs: readonly Run[],
): Promise<RunView[]> {
  const idle = runs.filter(({ phase }) => phase !== null && MAY_WAIT.has(phase));
  const actions = await latestOf(context, "run.action", runs);
  const moves = await latestOf(
    context,
    "run.state",
    runs.filter(({ status }) => !isEnded(status)),
  );
  const working = runs.filter(({ phase }) => phase === "agent" || phase === "waiting");
  const usages = await latestOf(context, USAGE, working);
  const waits = await latestOf(context, WAITS, idle);
  const stops = await latestOf(
    context,
    "run.stop_requested",
    runs.filter(({ stopRequest }) => stopRequest !== null),
  );
  const queued = runs.filter(isQueued);
  const away = await waitForAway(context, queued);
  const positions = await positionsInQueue(context.db.reader, [
    ...new Set(queued.map(({ attemptId }) => attemptId)),
  ]);
  const asking = runs.filter(({ phase }) => phase === "waiting").map(({ id }) => id);
  const questions = await questionsOfRuns(context.db.reader, asking);
  const checked = runs.filter(({ tree }) => tree !== null).map(({ id }) => id);
  const checks = await checksOfRuns(context.db.reader, checked);
  const views: RunView[] = [];
  for (const run of runs)
    views.push(
      await runView(context, run, {
        action: actions.get(run.id),
        moved: moves.get(run.id),
        used: usages.get(run.id),
        waits: waits.get(run.id),
        stop: stops.get(run.id),
        away: away.get(run.id) ?? null,
        checks: checks.get(run.id) ?? [],
        position: positions.get(run.id) ?? null,
        question: questionToAnswer(questions.get(run.id) ?? []),
      }),
    );
  return views;
}

function latestOf(
  context: Uses<"db">,
  kind: string,
  runs: readonly Run[],
): Promise<ReadonlyMap<string, Fact>> {
  return latestFacts(context.db.reader, { kind, runIds: runs.map(({ id }) => id) });
}

async function runView(
  context: Uses<"paths" | "diskFullRuns">,
  run: Run,
  {
    action,
    moved,
    used,
    waits,
    stop,
    away,
    checks,
    position,
    question,
  }: {
    readonly action: Fact | undefined;
    readonly moved: Fact | undefined;
    readonly used: Fact | undefined;
    readonly waits: Fact | undefined;
    readonly stop: Fact | undefined;
    readonly away: Waiting | null;
    readonly checks: readonly CheckResult[];
    readonly position: number | null;
    readonly question: Question | null;
  },
): Promise<RunView> {
  const path = patchFile(context, run.id);
  const hasPatch = (run.patch?.files ?? 0) > 0 && (await stat(path).catch(() => null)) !== null;
  return {
    ...run,
    usage: used === undefined ? run.usage : readUsage(used.data),
    patchPath: hasPatch ? path : null,
    lastAction: action === undefined ? null : { at: action.at, text: String(action.data.title ?? "") },
    phaseSince: moved?.at ?? null,
    waitsFor: (await lacksRoom(context, run)) ? waitingFor("disk") : (away ?? waitingNow(run, waits)),
    position,
    question: question && { ...question, expect: question.hash, always: ruleTexts(question) },
    checks,
    ...stoppedBy(run, stop),
  };
}

/** One that had ended well before it was stopped was stopped by nobody. */
function stoppedBy({ status }: Run, stop: Fact | undefined): Pick<RunView, "stoppedBy"> {
  const { data, success } = actorSchema.safeParse(stop?.data.actor);
  return success && (status === "CANCELED" || !isEnded(status)) ? { stoppedBy: data } : {};
}

/** Of queued runs, those whose worker is another one that is not there, or has an older program. */
async function waitForAway(
  context: Uses<"db" | "owner">,
  queued: readonly Run[],
): Promise<ReadonlyMap<string, Waiting>> {
  const than = ownWorker(context);
  const among = queued.filter(({ held }) => !held).map(({ id }) => id);
  const others = than === null ? new Map() : await runsOfOthers(context.db.reader, { than, among });
  const older = than === null ? new Map() : await olderWorkers(context.db.reader, among);
  if (others.size === 0 && older.size === 0) return new Map();
  const workers = new Map((await listWorkers(context.db.reader)).map((worker) => [worker.id, worker]));
  return new Map(
    among.flatMap((run): [string, Waiting][] => {
      if (older.has(run)) return [[run, waitingFor("worker_older", { worker: older.get(run) })]];
      const worker = workers.get(others.get(run)?.drives ?? "");
      const state = worker === undefined ? "ready" : stateNow(worker.state, worker.seenAgoMs);
      if (worker === undefined || state === "ready") return [];
      return [[run, waitingFor(`worker_${state}`, { worker: worker.name })]];
    }),
  );
}

const LITTLE_ROOM_BYTES = 1024 * 1024;

/**
 * Whether the disk has no room for the run's next state. An engine that was started again has not tried to store it
 * yet, but its agent has ended.
 */
async function lacksRoom(
  { diskFullRuns, paths }: Uses<"paths" | "diskFullRuns">,
  run: Run,
): Promise<boolean> {
  if (diskFullRuns.has(run.id)) return true;
  if (run.phase !== "agent") return false;
  const room = await freeSpace(paths.root).catch(() => null);
  return (
    room !== null &&
    room.free < LITTLE_ROOM_BYTES &&
    (await isThere(join(paths.run(run.id), KEEPER_FILES.exit)))
  );
}
