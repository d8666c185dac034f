/** Shows what the publish gate and the checks came to on what an attempt left last. */
import { err, ok, type Result } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { gateRows } from "../../domain/gate/gate-rows.ts";
import { wasUsed } from "../../domain/gate/was-used.ts";
import { namesIn } from "../../domain/publish/allowance.ts";
import { leftOutBy } from "../../domain/publish/left-out.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { checksOfRun } from "../../storage/tables/checks.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { ShownGate } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal } from "../core/refusal.ts";

export async function showGate(
  context: Uses<"db" | "configuration">,
  attemptId: string,
): Promise<Result<ShownGate, Refusal>> {
  const place = await findPlace(context.db.reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const runs = workOf(await runsOfAttempt(context.db.reader, attemptId));
  const judged = runs.findLast(isJudged) ?? null;
  const settings = { ...place.task.settings, ...judged?.options.settings };
  const configuration = await context.configuration(place.repository, settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const { gate, checks: declared } = configuration.value.values;
  const rows = gateRows({
    judged,
    checks: judged === null ? [] : await checksOfRun(context.db.reader, judged.id),
    why: whyNot(judged),
    levels: gate.rules,
    declared,
    allowances: allowancesOf(runs, place.attempt.merged !== null),
  });
  return ok({ run: judged?.id ?? null, tree: judged?.tree ?? null, rows, leftOut: leftOutBy(runs) });
}

function allowancesOf(runs: readonly Run[], isMerged: boolean) {
  return runs.flatMap(({ options: { allowance }, createdAt }, index) => {
    if (allowance === undefined) return [];
    const since = runs.slice(index);
    const used = new Set(namesIn(allowance).filter((name) => wasUsed(name, since, isMerged)));
    return [{ ...allowance, at: createdAt, used }];
  });
}

/** A push of what was committed before is not judged again. */
function isJudged({ kind, tree, failure }: Run): boolean {
  return kind !== "publish" && (tree !== null || failure?.code === "gate_rejected");
}

function whyNot(judged: Run | null): string {
  if (judged === null) return "No run of this attempt has come to the gate yet.";
  if (judged.failure?.code === "gate_rejected") return "The gate kept the changes back before that.";
  if (!isEnded(judged.status)) return "It has not come to its turn yet.";
  return judged.outcome === "no_changes"
    ? "The last run changed nothing."
    : "It was not declared when the last run was checked.";
}
