/** Says on which other worker a new task begins, if it does not begin here (ADR 0090). Gathers; the domain decides. */
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { hasLabels } from "../../domain/worker/labels.ts";
import {
  type NoPlace,
  type OtherPlace,
  type OwnPlace,
  placeTask,
  type TaskToPlace,
} from "../../domain/worker/place-task.ts";
import { CLONES_ITSELF, neededProtocol } from "../../domain/worker/protocol.ts";
import { endsElsewhere } from "../../domain/worker/waiting-runs.ts";
import { takesRuns } from "../../domain/worker/worker.ts";
import { loadOfWorkers } from "../../storage/team/load-of-workers.ts";
import { workersThere } from "../../storage/team/workers.ts";
import { agentsOfTask } from "../agents/resolve-agent.ts";
import { wasPutAway } from "../clones/put-away-before.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { noWorker, type Refusal, refuse } from "../core/refusal.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import type { PlaceOfTask } from "../core/screen-shapes.ts";
import { plannedWaits, type QueueContext } from "../queue/planned-waits.ts";
import { isBaseShared, needsOwnClone } from "../repositories/base-is-shared.ts";
import { namedAnywhere } from "../repositories/named-repository.ts";
import { ownRepository } from "../repositories/own-repository.ts";
import { clonesOfOthers } from "./clones-of-others.ts";

type PlacingContext = Parameters<typeof ownRepository>[0] & QueueContext & Uses<"executors">;

/** Null if it begins here. Also if it cannot be created at all: its creation says why. */
export async function placeOf(
  context: PlacingContext,
  input: CreateTask,
): Promise<Result<PlaceOfTask | null, Refusal>> {
  const than = ownWorker(context);
  if (than === null) return input.worker === null ? ok(null) : err(noWorker(input.worker));
  const workers = await loadOfWorkers(context.db.reader);
  const pinned = workers.find(({ id, name }) => id === input.worker || name === input.worker);
  if (input.worker !== null && pinned === undefined) return err(noWorker(input.worker));
  if (pinned?.id === than) return ok(null);
  if (pinned !== undefined && input.fromWorktree) return err(FROM_HERE);
  const own = await ownRepository(context, input.repository);
  const repository = own.unwrapOr(null) ?? (await namedAnywhere(context, input.repository)).unwrapOr(null);
  if (repository === null) return ok(null);
  const { clones, whole } = await clonesOfOthers(context, repository);
  if (clones.size === 0 && pinned === undefined) return ok(null);
  const { reader } = context.db;
  const there = await workersThere(reader);
  const others = workers
    .filter(({ id }) => id !== than)
    .map(({ id, ...worker }) => ({
      ...worker,
      worker: id,
      isReady: there.has(id) && takesRuns(worker),
      // Who is chosen by a person clones by itself.
      hasClone: whole.has(id) || (id === pinned?.id && (clones.has(id) || clonesItself(worker, repository))),
    }));
  const { labels = [] } = workers.find(({ id }) => id === than) ?? {};
  const mine = own.unwrapOr(null);
  const needs = await needsOf(context, input, {
    repository: mine === null || (await wasPutAway(reader, mine)) ? null : mine,
    isFit: hasLabels(labels, input.onLabels),
  });
  const place = placeTask({ ...needs.own, labels }, others, { ...needs.task, pinned: pinned?.id ?? null });
  if (place.at === "here") return ok(null);
  if (place.at === "none")
    return pinned === undefined ? ok(null) : err(unfit(pinned.name, { why: place.why, repository }));
  const { worker: id, name } = place.place;
  const named = clones.get(id) ?? repository.address ?? "";
  const orHere = own.isOk() && pinned === undefined;
  return ok({ worker: { id, name }, repository: named, orHere, clones: !whole.has(id) });
}

function clonesItself({ protocol }: Pick<OtherPlace, "protocol">, { address }: Repository): boolean {
  return address !== null && protocol >= CLONES_ITSELF;
}

interface Needs {
  readonly own: Omit<OwnPlace, "labels">;
  readonly task: Omit<TaskToPlace, "pinned">;
}

/** Git is asked only if the task would wait here, and not elsewhere too. */
async function needsOf(
  context: PlacingContext,
  input: CreateTask,
  { repository, isFit }: { readonly repository: Repository | null; readonly isFit: boolean },
): Promise<Needs> {
  const ids = [...new Set(input.agents.map(({ id }) => id))];
  const task = {
    attempts: Math.max(1, input.agents.length),
    agents: ids,
    labels: input.onLabels,
    staysHere: false,
    needs: neededProtocol({ kind: "agent" }),
  };
  if (repository === null) return { own: { hasClone: false, wouldWait: false }, task };
  const read = await context.configuration(repository, input.settings);
  const configuration = read.unwrapOr(null);
  const agents = configuration && agentsOfTask(input, configuration.values, context.executors).unwrapOr(null);
  if (configuration === null || agents === null) return { own: { hasClone: true, wouldWait: false }, task };
  const found = { repository, configuration };
  const waits = await plannedWaits(context, { ...found, agents, onLabels: input.onLabels });
  const wouldWait = waits.some((waits, index) => {
    const sharedLogin = agents[index]?.profile.login != null;
    return (
      waits !== null &&
      (waits.reason === "draining" ||
        waits.reason === "clock_off" ||
        endsElsewhere({ ...waits, sharedLogin }))
    );
  });
  const staysHere =
    (wouldWait || !isFit) &&
    (needsOwnClone(input) || !(await isBaseShared(context, { ...found, base: input.base })));
  const named = [...new Set(agents.map(({ profile }) => profile.id))];
  return {
    own: { hasClone: true, wouldWait },
    task: { ...task, attempts: agents.length, agents: named, staysHere },
  };
}

const FROM_HERE = refuse(
  "bad_request",
  "options_conflict",
  "`--from-worktree` starts from your working tree, which lies here; it cannot be joined with another `--worker`.",
  { remedy: "Leave out one of them." },
);

function unfit(
  name: string,
  { why, repository }: { readonly why: NoPlace; readonly repository: Repository },
) {
  const address = repository.address ?? "ADDRESS";
  const [says, remedy] = {
    not_ready: ["takes no runs now", "`tazuna workers` says how it is."],
    lacks_labels: ["lacks a label of `--on-label`", "`tazuna workers` shows the labels of each."],
    older: ["has an older Tazuna", "Bring it to the version of this worker."],
    no_clone: [
      `has no clone of ${repository.address ?? repository.path}`,
      `On its machine: \`tazuna repo add ${shellWord(address)}\`.`,
    ],
  }[why];
  const message = `The worker ${name} ${says}.`;
  return refuse("conflict", "worker_unfit", message, {
    remedy: `${remedy} Or leave out \`--worker\`.`,
    details: { worker: name, why },
  });
}
