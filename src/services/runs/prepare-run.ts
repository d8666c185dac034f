/** Prepares a run: the newest base, the attempt's worktree, its files and its setup (seed 003, phases 1 and 4). */
import { access } from "node:fs/promises";
import type { RunNote } from "../../domain/run/run.ts";
import type { RunEvent } from "../../domain/run/state.ts";
import type { ServiceContext } from "../context.ts";
import { checkAgent } from "./check-agent.ts";
import { repositoryGone } from "./git-failure.ts";
import { prepareFirst } from "./prepare-first.ts";
import { prepareLater } from "./prepare-later.ts";
import { preparedBefore } from "./prepared-before.ts";
import { recordStart } from "./record-start.ts";
import { callKeeper } from "./standby-keeper.ts";
import { note, type RunWorld, type Step } from "./step.ts";

/** PENDING (preparing): ends when the agent may start, or with the reason why it may not. */
export async function prepareRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const { attempt, repository, run } = world;
  // A restore or an undo that is going on ends first; one that is asked for from now on sees this run, and refuses.
  await context.attemptLock.run(attempt.id, () => undefined);
  const there = await access(repository.commonDir).then(
    () => true,
    () => false,
  );
  if (!there) return repositoryGone(world, "gone");
  if (run.kind === "publish") return { event: "publish_only", notes: allowedChecks(world) };
  if (run.kind === "agent") {
    const begun = await preparedBefore(context, world);
    if (begun !== null) return begun;
    const unready = await checkAgent(context, world);
    if (unready !== null) return unready;
    await callKeeper(context, world);
  }
  const prepared = wasNeverPrepared(world)
    ? await prepareFirst(context, world)
    : await prepareLater(context, world);
  if (!prepared.done) return prepared.step;
  if (world.signal.aborted) return { event: "cancel" };
  const start = await recordStart(context, world, prepared);
  if (start.isErr()) return start.error;
  const event: RunEvent = run.kind === "agent" ? "start_agent" : "stage_edits";
  return { event, run: { startSha: start.value }, ...(prepared.notes ? { notes: prepared.notes } : {}) };
}

/** What a person said of checks that failed. */
function allowedChecks({ run }: RunWorld): readonly RunNote[] {
  const { by = "", reason = "", checks = [] } = run.options.allowance ?? {};
  return checks.map((check) =>
    note("allowed_check", `The check ${check} failed (allowed by ${by}: ${reason})`, { check, by, reason }),
  );
}

/** Until a run has begun from it, the worktree is not known to be whole: a setup command may have failed in it. */
function wasNeverPrepared({ attempt, earlier }: RunWorld): boolean {
  return attempt.gitDir === null || earlier.every((run) => run.startSha === null);
}
