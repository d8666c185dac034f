/** Takes over runs whose worker is lost, with the files that the depot has of them (ADR 0096). Gathers; the domain decides. */
import { basename, join } from "node:path";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { hasLabels } from "../../domain/worker/labels.ts";
import { type CopyOfAttempt, decideTakeOver, mayClone, type Taker } from "../../domain/worker/take-over.ts";
import { readRef } from "../../git/refs/refs.ts";
import { clonesOfWorkers } from "../../storage/team/clones-of-workers.ts";
import { readDepot } from "../../storage/team/depot.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { loadOfWorkers } from "../../storage/team/load-of-workers.ts";
import { lostRuns } from "../../storage/team/lost-runs.ts";
import { getProtection } from "../../storage/team/protections.ts";
import { workersThere } from "../../storage/team/workers.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { ensureBranch } from "../branches/ensure-branch.ts";
import { type BesideContext, cloneBeside, lackingClone } from "../clones/clone-beside.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { newestCopy } from "../depot/fetch-protected.ts";
import { ownClone } from "../repositories/own-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { bringCopy, type CopyContext } from "./bring-copy.ts";
import { type Claim, claimRun, interruptRun, type MoveContext } from "./claim-run.ts";
import { noteNotTaken } from "./refuse-waiting.ts";

type TakerContext = CopyContext & MoveContext & BesideContext;

/** One after the other: each takes a slot. Nothing is asked without a depot, from which alone files could come. */
async function takeOverLost(context: TakerContext): Promise<void> {
  const than = ownWorker(context);
  if (than === null || (await readDepot(context.db.reader)) === null) return;
  for (const lost of await lostRuns(context.db.reader, { than })) {
    if (context.engineStop.aborted) return;
    await takeOver(context, { ...lost, than });
  }
}

/** So often within the length of a lease it is looked for runs that are lost. */
const LOOKS = 12;

/** One look at a time. */
export function watchLost(context: TakerContext & Uses<"timing">): { stop(): void } {
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    takeOverLost(context)
      .catch((error) => context.reportFault("taking over what a lost worker had", error))
      .finally(() => {
        isLooking = false;
      });
  }, context.timing.leaseMs / LOOKS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

interface Lost {
  readonly run: Run;
  readonly worker: Claim["from"];
  readonly than: string;
}

/** Without a clone one is made beside, and a later look takes the run. */
async function takeOver(context: TakerContext, { run, worker, than }: Lost): Promise<void> {
  const { reader } = context.db;
  const place = await findPlace(reader, run.attemptId);
  if (place === null) return;
  const clone = await ownClone(context, place.repository);
  const copy = await newestCopy(reader, run.attemptId);
  const isBehind = ((await getProtection(reader, run.attemptId))?.unprotectedSince ?? null) !== null;
  const known: CopyOfAttempt = { sha: copy?.commit ?? null, isBehind };
  const lacks = await lackingClone(context, place.repository);
  const taker = await asTaker(context, { place, than, run, clone, canClone: lacks?.isOk() === true });
  const decision = decideTakeOver(run, known, taker);
  if (decision === "leave") return;
  if (decision === "interrupt") return interruptRun(context, { run, from: worker });
  if (lacks?.isOk())
    return cloneBeside(context, { url: lacks.value, whose: run.id }, async (why) => {
      if (why !== null) await noteNotTaken(context, { runId: run.id, own: than, why });
    });
  if (clone === null) return;
  if (!(await isTrusted(context, { ...place, repository: clone }))) return;
  const here = { attempt: place.attempt, repository: clone };
  const publishes = decision === "publish";
  const taken = await bringCopy(context, here, { run, copy }, async (brought) => {
    // Its branch may have been pushed never.
    if (publishes && (await ensureBranch(context, { ...here, run, earlier: [] })).isErr()) return false;
    // Its work begins at this commit: a clone that lacks it cannot go on.
    const start = publishes ? run.commit : run.startSha;
    if (start !== null && !(await hasCommit(context, clone, start))) return false;
    return claimRun(context, { run, from: worker, ...here, copy: brought, publishes });
  });
  if (taken.isErr())
    context.reportFault(
      `taking over what ${worker.name} had of the attempt ${place.attempt.id}`,
      taken.error,
    );
}

interface Look {
  readonly place: AttemptPlace;
  readonly clone: Repository | null;
  readonly than: string;
  readonly run: Run;
  /** There is an address, from which this worker may clone. */
  readonly canClone: boolean;
}

async function asTaker(
  context: Pick<TakerContext, "db" | "paths" | "clock" | "timing">,
  { place, clone, than, run, canClone }: Look,
): Promise<Taker> {
  const { db, paths } = context;
  const own = (await loadOfWorkers(db.reader)).find(({ id }) => id === than);
  const { begins } = await standingOf(db.reader, than);
  const { agent, worktree } = place.attempt;
  return {
    isFree: begins && own !== undefined && own.busy < own.slots,
    hasClone: clone !== null,
    mayClone: clone === null && (await isOurTurn(context, { place, run, canClone })),
    hasAgent: own?.agents.includes(agent) === true,
    hasLabels: hasLabels(own?.labels ?? [], place.task.onLabels),
    isOccupied: await isThere(join(paths.worktrees, basename(worktree))),
  };
}

async function isOurTurn(
  { db, clock, timing }: Pick<TakerContext, "db" | "clock" | "timing">,
  { place, run, canClone }: Pick<Look, "place" | "run" | "canClone">,
): Promise<boolean> {
  const { address } = place.repository;
  const key = address === null ? null : keyOfAddress(address);
  const there = await workersThere(db.reader);
  const isClonedElsewhere = [...(await clonesOfWorkers(db.reader))].some(
    ([id, addresses]) =>
      there.has(id) && id !== run.lease?.owner && addresses.some((its) => keyOfAddress(its) === key),
  );
  const lostMs = clock.now().getTime() - Date.parse(run.lease?.until ?? clock.iso());
  return mayClone({ hasAddress: canClone, isClonedElsewhere, lostMs }, timing.leaseMs);
}

/** What the repository brings along was trusted on this machine, too. */
async function isTrusted(
  context: Uses<"db" | "configuration">,
  { repository, attempt, task }: AttemptPlace,
): Promise<boolean> {
  const read = await context.configuration(repository, task.settings);
  if (read.isErr()) return false;
  const agents = [attempt.agent];
  return (await untrustedScripts(context, { repository, configuration: read.value, agents })) === null;
}

async function hasCommit(context: Uses<"git">, clone: Repository, sha: string): Promise<boolean> {
  const found = await readRef(context.git, repositoryTarget(clone), `${sha}^{commit}`);
  return found.unwrapOr(null) !== null;
}
