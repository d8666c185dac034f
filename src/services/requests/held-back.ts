/** Checks whether required checks hold an attempt's newest commit back: a push takes the whole branch along. */
import { z } from "zod";
import { standingOf } from "../../domain/publish/allowance.ts";
import type { Run } from "../../domain/run/run.ts";
import { type Refusal, refuse } from "../core/refusal.ts";

const details = z.object({ checks: z.array(z.object({ name: z.string() })).default([]) });

/**
 * The checks that no person has allowed yet, by name; empty if nothing is held back. `runs` are all of the attempt, by
 * number.
 */
export function checksHolding(runs: readonly Run[]): readonly string[] {
  const at = newestCommit(runs);
  const failure = runs[at]?.failure;
  if (failure?.code !== "check_failed") return [];
  const allowed = new Set(
    runs
      .slice(at + 1)
      .flatMap(({ options: { allowance } }) => (allowance && standingOf(allowance)?.checks) ?? []),
  );
  return details
    .parse(failure.details)
    .checks.map(({ name }) => name)
    .filter((name) => !allowed.has(name));
}

/** Why nothing may be pushed; null if it may. `allowing` are checks that are being allowed right now. */
export function refuseHeldBack(runs: readonly Run[], allowing: readonly string[] = []): Refusal | null {
  const { failure } = runs[newestCommit(runs)] ?? {};
  const holding = checksHolding(runs).filter((name) => !allowing.includes(name));
  if (holding.length === 0 || !failure) return null;
  return refuse("conflict", "check_failed", failure.message, { remedy: failure.remedy });
}

function newestCommit(runs: readonly Run[]): number {
  return runs.findLastIndex((run) => run.commit !== null && run.kind !== "publish");
}
