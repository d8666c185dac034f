/** Takes over runs whose worker is lost, with the files that the depot has of them (ADR 0096). Gathers; the domain decides. */
import { basename, join } from "node:path";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { hasLabels } from "../../domain/worker/labels.ts";
import { type CopyOfAttempt, decideTakeOver, type Taker } from "../../domain/worker/take-over.ts";
import { readRef } from "../../git/refs/refs.ts";
import { readDepot } from "../../storage/team/depot.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { loadOfWorkers } from "../../storage/team/load-of-workers.ts";
import { lostRuns } from "../../storage/team/lost-runs.ts";
import { getProtection } from "../../storage/team/protections.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { ensureBranch } from "../branches/ensure-branch.ts";
import { ensureClone } from "../clones/ensure-clone.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { newestCopy } from "../depot/fetch-protected.ts";
import { ownClone } from "../repositories/own-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { bringCopy, type CopyContext } from "./bring-copy.ts";
import { type Claim, claimRun, interruptRun, type MoveContext } from "./claim-run.ts";

type TakerContext = CopyContext & MoveContext & Uses<"paths" | "configuration">;

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

async function takeOver(context: TakerContext, { run, worker, than }: Lost): Promise<void> {
  const { reader } = context.db;
  const place = await findPlace(reader, run.attemptId);
  if (place === null) return;
  const clone = await ownClone(context, place.repository);
  const copy = await newestCopy(reader, run.attemptId);
  const isBehind = ((await getProtection(reader, run.attemptId))?.unprotectedSince ?? null) !== null;
  const known: CopyOfAttempt = { sha: copy?.commit ?? null, isBehind };
  const taker = await asTaker(context, { place, clone, than });
  const decision = decideTakeOver(run, known, taker);
  if (decision === "leave") return;
  if (decision === "interrupt") return interruptRun(context, { run, from: worker });
  if (clone === null) return;
  const cloned = await ensureClone(context, clone, { signal: context.engineStop });
  if (cloned.isErr()) return context.reportFault(`cloning ${clone.url} anew`, cloned.error.message);
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
}

async function asTaker(
  { db, paths }: Pick<TakerContext, "db" | "paths">,
  { place, clone, than }: Look,
): Promise<Taker> {
  const own = (await loadOfWorkers(db.reader)).find(({ id }) => id === than);
  const { begins } = await standingOf(db.reader, than);
  const { agent, worktree } = place.attempt;
  return {
    isFree: begins && own !== undefined && own.busy < own.slots,
    hasClone: clone !== null,
    hasAgent: own?.agents.includes(agent) === true,
    hasLabels: hasLabels(own?.labels ?? [], place.task.onLabels),
    isOccupied: await isThere(join(paths.worktrees, basename(worktree))),
  };
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
