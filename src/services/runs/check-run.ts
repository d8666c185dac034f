/** Runs the declared checks on the staged tree and stores what they came to. */

import type { ConfiguredCheck } from "../../domain/configuration/schema.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { listUnstaged } from "../../git/unstaged.ts";
import { type CheckResult, checksOfRun, saveCheck } from "../../storage/checks.ts";
import { transact } from "../../storage/transact.ts";
import { trustFailure } from "../configuration/trust-failure.ts";
import type { ServiceContext } from "../context.ts";
import { runScript } from "../worktrees/run-script.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { note, type RunWorld, type Step } from "./step.ts";

/** STAGING (checking): ends when every check has run; a red one is looked at after the commit. */
export async function checkRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const { tree } = world.run;
  if (tree === null) throw new Error(`run ${world.run.id} has no staged tree to check`);
  const results = (await checksOfRun(context.db.reader, world.run.id)).filter((check) => check.tree === tree);
  const done = new Set(results.map((check) => check.name));
  const due = world.configuration.values.checks.filter((check) => !done.has(check.name));
  const changed = due.length === 0 ? null : await trustFailure(context, world);
  if (changed !== null) return { event: "fail", failure: changed };
  for (const check of due) {
    if (world.signal.aborted) return { event: "cancel" };
    const result = await runCheck(context, world, { check, tree });
    if (result === null) return { event: "cancel" };
    await transact(context.db, (trx) => saveCheck(trx, result));
    results.push(result);
  }
  if (world.signal.aborted) return { event: "cancel" };
  return { event: "commit", notes: results.flatMap(leftBehindNote) };
}

function leftBehindNote({ name, leftBehind }: CheckResult): RunNote[] {
  if (leftBehind.length === 0) return [];
  const message = `The check ${name} left files behind; they are not committed.`;
  return [note("check_left_files", message, { check: name, paths: leftBehind.slice(0, 100) })];
}

/** Null where a person stopped it. */
async function runCheck(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly check: ConfiguredCheck; readonly tree: string },
): Promise<CheckResult | null> {
  const { check, tree } = of;
  const ended = await runScript(context, world, {
    label: `check ${check.name}`,
    command: check.run,
    timeoutMs: check.timeout_s * 1000,
  });
  if (ended.canceled) return null;
  const left = await listUnstaged(context.git, worktreeTarget(world.attempt));
  return {
    runId: world.run.id,
    name: check.name,
    tree,
    command: check.run,
    required: check.required,
    outcome: ended.timedOut ? "timed_out" : ended.code === 0 ? "passed" : "failed",
    exitCode: ended.code,
    durationMs: ended.durationMs,
    output: ended.tail,
    leftBehind: left.unwrapOr([]),
    at: context.clock.iso(),
  };
}
