/** Runs the declared checks on the staged tree, and stores their results and what they left in the worktree. */
import { ok } from "neverthrow";
import type { ConfiguredCheck } from "../../../domain/configuration/schema.ts";
import { type LeftFile, newlyLeft } from "../../../domain/publish/left-files.ts";
import type { CheckResult } from "../../../domain/run/check.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import { checksOfRun, saveCheck } from "../../../storage/tables/checks.ts";
import { appendFact } from "../../../storage/tables/facts.ts";
import { transact } from "../../../storage/transact.ts";
import type { ConfinedEnd } from "../../confinement/run-confined.ts";
import { runScript } from "../../confinement/run-script.ts";
import type { ConfinedContext, GitContext, JournalContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { note, type RunWorld, type Step } from "../../run-core/step.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { proveRun } from "../prove/prove-run.ts";
import { unstagedBaseline, unstagedNow } from "./unstaged-baseline.ts";

/** STAGING (checking): ends when every check has run; a failed one is handled after the commit. */
export async function checkRun(context: JournalContext & ConfinedContext, world: RunWorld): Promise<Step> {
  const { tree } = world.run;
  if (tree === null) throw new Error(`run ${world.run.id} has no staged tree to check`);
  const results = (await checksOfRun(context.db.reader, world.run.id)).filter((check) => check.tree === tree);
  const done = new Set(results.map((check) => check.name));
  const due = world.configuration.values.checks.filter((check) => !done.has(check.name));
  const changed = due.length === 0 ? null : await trustFailure(context, world);
  if (changed !== null) return { event: "fail", failure: changed };
  const baseline = due.length === 0 ? ok([]) : await unstagedBaseline(context, world, tree);
  if (baseline.isErr()) return gitFailed("stage", baseline.error);
  for (const check of due) {
    if (world.signal.aborted) break;
    const before = [...baseline.value, ...results.flatMap(({ leftBehind }) => leftBehind)];
    const result = await runCheck(context, world, { check, tree, before });
    await saveAndTell(context, world, result);
    results.push(result);
  }
  const notes = results.flatMap(leftBehindNote);
  const proof = due.length === 0 ? null : await proveAgain(context, world);
  if (proof?.failure !== undefined) return proof;
  const event = world.signal.aborted ? "cancel" : "commit";
  return { event, notes: [...notes, ...(proof?.notes ?? [])] };
}

async function saveAndTell(
  context: JournalContext,
  { task, attempt, run }: RunWorld,
  check: CheckResult,
): Promise<void> {
  const { name, outcome, required, exitCode, durationMs, at } = check;
  const data = { check: name, outcome, required, exit_code: exitCode, duration_ms: Math.round(durationMs) };
  const ids = { taskId: task.id, attemptId: attempt.id, runId: run.id };
  await transact(context.db, async (trx) => {
    await saveCheck(trx, check);
    await appendFact(trx, { at, kind: "run.check", ...ids, data });
  });
  context.newFacts.notify();
}

/**
 * The checks run what an agent wrote into the tests. Without a sandbox they can write git as the agent could. Reports
 * only what is new.
 */
async function proveAgain(context: GitContext & Uses<"paths">, world: RunWorld): Promise<Step | null> {
  if (world.run.isolation === "sandbox") return null;
  const proof = await proveRun(context, world);
  const known = new Set(world.run.notes.map((one) => JSON.stringify(one)));
  return { ...proof, notes: (proof.notes ?? []).filter((one) => !known.has(JSON.stringify(one))) };
}

function leftBehindNote({ name, leftBehind }: CheckResult): RunNote[] {
  if (leftBehind.length === 0) return [];
  const message = `The check ${name} left files behind; they are not committed.`;
  return [
    note("check_left_files", message, {
      check: name,
      paths: leftBehind.slice(0, 100).map(({ path }) => path),
    }),
  ];
}

/** `before` lists what differs in the worktree from the tree before the check. */
async function runCheck(
  context: ConfinedContext & Uses<"reportFault">,
  world: RunWorld,
  due: { readonly check: ConfiguredCheck; readonly tree: string; readonly before: readonly LeftFile[] },
): Promise<CheckResult> {
  const { check, tree } = due;
  const ended = await runScript(context, world, {
    label: `check ${check.name}`,
    command: check.run,
    timeoutMs: check.timeout_s * 1000,
  });
  return {
    runId: world.run.id,
    name: check.name,
    tree,
    command: check.run,
    required: check.required,
    outcome: outcomeOf(ended),
    exitCode: ended.code,
    durationMs: ended.durationMs,
    output: ended.tail,
    leftBehind: newlyLeft(due.before, await unstagedNow(context, world, tree)),
    at: context.clock.iso(),
  };
}

function outcomeOf(ended: ConfinedEnd): CheckResult["outcome"] {
  if (ended.canceled) return "stopped";
  if (ended.timedOut) return "timed_out";
  return ended.code === 0 ? "passed" : "failed";
}
