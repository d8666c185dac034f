/** Prepares a run: the newest base, the attempt's worktree, its files and its setup (seed 003 Phase 1 and Phase 4). */
import { hasAgent } from "../../../domain/attempt/seen-by-run.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import type { RunEvent } from "../../../domain/run/state.ts";
import { agentOf } from "../../agents/resolve-agent.ts";
import { confineRun } from "../../confinement/confine-run.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { AgentContext, Uses } from "../../core/context-parts.ts";
import { repositoryGone } from "../../run-core/git-failure.ts";
import { recordStart } from "../../run-core/record-start.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { repositoryPlace } from "../../worktrees/true-cause.ts";
import { findProgram } from "../agent/agent-program.ts";
import { launchRequest } from "../agent/launch-request.ts";
import { callKeeper } from "../agent/standby-keeper.ts";
import { prepareFirst } from "./prepare-first.ts";
import { prepareLater } from "./prepare-later.ts";
import { prepareMoved } from "./prepare-moved.ts";
import { prepareReview } from "./prepare-review.ts";
import { preparedBefore } from "./prepared-before.ts";

/** PENDING (preparing): ends when the agent may start, or with the reason why it may not. */
export async function prepareRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const { attempt, repository, run } = world;
  // A restore or an undo in progress ends first. One that is asked for from now on sees this run, and is refused.
  await context.attemptLock.run(attempt.id, () => undefined);
  const place = await repositoryPlace(repository);
  if (place !== "there") return repositoryGone(world, place);
  if (run.kind === "publish") return { event: "publish_only", notes: allowedChecks(world) };
  if (hasAgent(run)) {
    const begun = await preparedBefore(context, world);
    if (begun !== null) return begun;
    const unready = await checkAgent(context, world);
    if (unready !== null) return unready;
    await callKeeper(context, world);
  }
  const prepared = await prepareFor(world)(context, world);
  if (prepared.isErr()) return prepared.error;
  if (world.signal.aborted) return { event: "cancel" };
  const start = await recordStart(context, world, prepared.value);
  if (start.isErr()) return start.error;
  const { sha, conflicts = [] } = start.value;
  const nothingAsked = run.options.resolve === "only" && conflicts.length === 0;
  const event: RunEvent = hasAgent(run) && !nothingAsked ? "start_agent" : "stage_edits";
  const { attempt: stored, notes } = prepared.value;
  return {
    event,
    run: { startSha: sha },
    ...(stored === undefined ? {} : { attempt: stored }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function prepareFor(world: RunWorld) {
  if (world.run.kind === "review") return prepareReview;
  if (world.run.options.moved !== undefined && world.run.startSha !== null) return prepareMoved;
  return wasNeverPrepared(world) ? prepareFirst : prepareLater;
}

/** Notes about failed checks that a person allowed. */
function allowedChecks({ run }: RunWorld): readonly RunNote[] {
  const { by = "", reason = "", checks = [] } = run.options.allowance ?? {};
  return checks.map((check) =>
    note("allowed_check", `The check ${check} failed (allowed by ${by}: ${reason})`, { check, by, reason }),
  );
}

/**
 * Until a run has begun in it, the worktree may not be whole: a setup command may have failed. If one has, another data
 * folder may hold the worktree.
 */
function wasNeverPrepared({ earlier }: RunWorld): boolean {
  return earlier.every((run) => run.startSha === null);
}

/**
 * Asked before anything is made on the disk. The step that ends the run if its agent is unknown, missing, or without
 * trust; else null.
 */
async function checkAgent(context: AgentContext & Uses<"executors">, world: RunWorld): Promise<Step | null> {
  const agent = agentOf(context, world);
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  const { isolation, sandbox } = world.configuration.values;
  if (isolation === "sandbox" || sandbox.network !== "on") {
    const confinement = await confineRun(context, world);
    if (confinement.isErr()) return { event: "fail", failure: confinement.error };
  }
  // Started while the worktree is made: the answer is there by the time the agent is due.
  if (isolation === "auto") void context.sandbox();
  const changed = await trustFailure(context, world);
  if (changed !== null) return { event: "fail", failure: changed };
  // A plan starts nothing; it names the program that would be run.
  const request = launchRequest(context, world, {
    agent: agent.value,
    resume: null,
    prompt: "",
    approvals: "never",
  });
  const program = agent.value.executor.plan(request).argv[0] ?? "";
  const found = await findProgram(context, world, { agent: agent.value, program, confinement: null });
  return found.isErr() ? { event: "fail", failure: found.error } : null;
}
