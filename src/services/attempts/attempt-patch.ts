/** Stores what an attempt changed against its base: the two states that its diff compares, and the line counts. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt, AttemptPatch } from "../../domain/attempt/attempt.ts";
import { leftAt, workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { diffFiles } from "../../git/index/diff.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { readRef } from "../../git/refs/refs.ts";
import { readRunTrees } from "../../git/refs/run-trees.ts";
import { getAttempt, updateAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { readMergeHead } from "../run-core/record-start.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { statOf } from "../run-core/take-patch.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { mergedBase } from "./merged-base.ts";

/**
 * The step with the attempt's patch, if it leaves the attempt in a new state. If the base was merged in, the patch
 * counts from the merged commit. If git cannot count now, the count is made when a reader asks for it.
 */
export async function withPatch(context: Uses<"git">, world: RunWorld, step: Step): Promise<Step> {
  const { attempt, run } = world;
  if (run.kind === "review") return step;
  const to = leftBy(world, step);
  const tip = step.run?.commit ?? run.commit ?? run.startSha;
  if (to === null || tip === null || attempt.base.sha === null) return step;
  const from = (await baseAfter(context, world, { tip, step })) ?? attempt.base.sha;
  const counted = await countPatch(context, world.repository, { from, to, tip });
  const moved = from === attempt.base.sha ? {} : { base: { ...attempt.base, sha: from } };
  return { ...step, attempt: { ...step.attempt, ...moved, patch: counted.unwrapOr(null) } };
}

/** The commit or tree that a step leaves; null if it leaves the attempt as it was. */
function leftBy({ run }: RunWorld, step: Step): string | null {
  const { tree = null, commit = null } = step.run ?? {};
  return step.left ?? (pushedMore(run, step) ? commit : tree);
}

function pushedMore(run: Run, { event, run: change }: Step): boolean {
  return event === "finish" && (change?.commit ?? null) !== run.commit;
}

/** Asks git only if the run began at another commit than the known tip, or if it merges something. */
async function baseAfter(
  context: Uses<"git">,
  world: RunWorld,
  { tip, step }: { readonly tip: string; readonly step: Step },
): Promise<string | null> {
  const { attempt, run, earlier } = world;
  const merging = attempt.gitDir === null ? null : await readMergeHead(attempt.gitDir);
  const known = attempt.patch?.tip ?? attempt.base.sha;
  if (merging === null && run.startSha === known && !pushedMore(run, step)) return attempt.base.sha;
  const tips = [tip, ...(merging === null ? [] : merging.split("\n"))];
  return mergedBase(context, { ...world, runs: [...earlier, run] }, tips);
}

interface Asked extends AttemptPlace {
  readonly runs: readonly Run[];
  /** Where its branch is; null if it is gone. */
  readonly tip: string | null;
}

/**
 * The attempt with its patch as it is now. The patch is counted and stored if it is missing, or if a person has moved
 * the branch since. There is no patch until a run has left something.
 */
export async function withPatchNow(
  context: Uses<"db" | "git" | "configuration">,
  asked: Asked,
): Promise<Result<Attempt, RemoteError>> {
  const { attempt, repository, runs, tip } = asked;
  const { base, patch } = attempt;
  if (attempt.gitDir === null || base.sha === null || !workOf(runs).every(atRest)) return ok(attempt);
  const moved = tip !== null && tip !== patch?.tip && tip !== leftAt(runs);
  if (patch !== null && !moved) return ok(attempt);
  const to = moved ? ok(tip) : await lastState(context, asked);
  if (to.isErr()) return err(to.error);
  const from = (moved ? await baseNow(context, asked, tip) : null) ?? base.sha;
  const counted = await countPatch(context, repository, { from, to: to.value ?? from, tip });
  if (counted.isErr()) return err(counted.error);
  const updated = { ...attempt, base: { ...base, sha: from }, patch: counted.value };
  await store(context, attempt, updated);
  return ok(updated);
}

async function baseNow(
  context: Uses<"git" | "configuration">,
  asked: Asked,
  tip: string,
): Promise<string | null> {
  const configuration = await context.configuration(asked.repository, asked.task.settings);
  return mergedBase(context, { ...asked, configuration: configuration.unwrapOr(null) }, [tip]);
}

/** No run works in the attempt. A held run does not begin by itself. */
export function atRest({ status, held, phase }: Run): boolean {
  return isEnded(status) || (held && phase === "queued");
}

/** Does not overwrite what a newer run has stored meanwhile. */
async function store(context: Uses<"db">, before: Attempt, updated: Attempt): Promise<void> {
  await transact(context.db, async (trx) => {
    const stored = await getAttempt(trx, updated.id);
    const idle = workOf(await runsOfAttempt(trx, updated.id)).every(atRest);
    const same = stored?.patch?.tip === before.patch?.tip && stored?.base.sha === before.base.sha;
    if (idle && same)
      await updateAttempt(trx, { id: updated.id, set: { base: updated.base, patch: updated.patch } });
  });
}

/** What the newest run left: its own tree, else what the branch holds. */
async function lastState(
  context: Uses<"git">,
  asked: Pick<Asked, "attempt" | "repository" | "runs">,
): Promise<Result<string | null, RemoteError>> {
  const target = repositoryTarget(asked.repository);
  for (const run of workOf(asked.runs).toReversed()) {
    const trees = await readRunTrees(context.git, target, run.id);
    if (trees.isErr()) return err(trees.error);
    if (trees.value.after !== null) return ok(trees.value.after);
  }
  return readRef(context.git, target, `refs/heads/${asked.attempt.branch}^{commit}`);
}

async function countPatch(
  context: Uses<"git">,
  repository: Repository,
  patch: Pick<AttemptPatch, "from" | "to" | "tip">,
): Promise<Result<AttemptPatch, RemoteError>> {
  const files = await diffFiles(context.git, repositoryTarget(repository), patch);
  return files.map((changed) => ({ ...patch, ...statOf(changed) }));
}
