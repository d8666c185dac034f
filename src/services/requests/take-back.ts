/** Takes back what a person allowed or left out of an attempt, as long as nothing has come of it. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { wasUsed } from "../../domain/gate/was-used.ts";
import { namesIn, standingOf } from "../../domain/publish/allowance.ts";
import type { Run, RunOptions } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { Uses } from "../core/context-parts.ts";
import type { TakeBack } from "../core/decide-shapes.ts";
import { findPlace } from "../core/find-place.ts";
import { askedBy } from "../core/journal.ts";
import { notEnded, notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { repositoryTarget } from "../run-core/targets.ts";

type TakeContext = Uses<"db" | "git" | "clock" | "newId" | "owner" | "actor" | "newFacts">;

/**
 * All of it, or nothing. The allowance stays as history, with who took it back. A merge in progress ends first: it may
 * make use of it.
 */
export function takeBack(
  context: TakeContext & Uses<"attemptLock">,
  input: TakeBack,
): Promise<Result<void, Refusal>> {
  return context.attemptLock.run(input.attempt, () => takeLocked(context, input));
}

async function takeLocked(context: TakeContext, input: TakeBack): Promise<Result<void, Refusal>> {
  const place = await findPlace(context.db.reader, input.attempt);
  if (place === null) return err(notFound("attempt", input.attempt));
  const by = await askedBy(context, repositoryTarget(place.repository));
  const done = await transact(context.db, async (trx) => {
    const runs = workOf(await runsOfAttempt(trx, place.attempt.id));
    const going = runs.find((run) => !isEnded(run.status) && !run.held);
    if (going !== undefined) return err(notEnded(going.id));
    const refusal = refuseTaking(place.attempt, runs, input);
    if (refusal !== null) return err(refusal);
    await store(context, trx, { attempt: place.attempt, runs, input, by });
    return ok(undefined);
  });
  context.newFacts.notify();
  return done;
}

function refuseTaking(attempt: Attempt, runs: readonly Run[], { allow, leaveOut }: TakeBack): Refusal | null {
  for (const name of allow) {
    if (runs.every(({ options }) => !holds(options, name)))
      return nothingThere(attempt, `Nothing is allowed under "${name}" now.`, name);
    if (runs.every((_, index) => !isOpen(name, runs.slice(index), attempt)))
      return nothingThere(attempt, `What "${name}" allowed is committed or published by now.`, name);
  }
  const out = new Set(
    runs.flatMap(({ options }) => options.leaveOut ?? []).flatMap((one) => (one.takenIn ? [] : one.path)),
  );
  const missing = leaveOut.find((path) => !out.has(path));
  return missing === undefined ? null : nothingThere(attempt, `${missing} is not left out now.`, missing);
}

function holds({ allowance }: RunOptions, name: string): boolean {
  const standing = allowance && standingOf(allowance);
  return standing !== undefined && standing !== null && namesIn(standing).includes(name);
}

/** Whether the first of these runs holds what a person allowed by that name, and nothing came of it since. */
function isOpen(name: string, since: readonly Run[], { merged }: Attempt): boolean {
  const [run] = since;
  return run !== undefined && holds(run.options, name) && !wasUsed(name, since, merged !== null);
}

interface Taking {
  readonly attempt: Attempt;
  readonly runs: readonly Run[];
  readonly input: TakeBack;
  readonly by: string | null;
}

async function store(context: TakeContext, trx: WriteTransaction, taking: Taking): Promise<void> {
  const { attempt, runs, input, by } = taking;
  const at = context.clock.iso();
  for (const [index, { id, options }] of runs.entries()) {
    const allow = input.allow.filter((name) => isOpen(name, runs.slice(index), attempt));
    const changed = without(options, { ...input, allow, by, at });
    if (changed !== options) await updateRun(trx, { id, expect: { epoch: null }, set: { options: changed } });
  }
  const parts = [
    { kind: "take_back", before: { allow: [...input.allow], by }, isMeant: input.allow.length > 0 },
    { kind: "take_in", before: { files: [...input.leaveOut], by }, isMeant: input.leaveOut.length > 0 },
  ];
  for (const { kind, before, isMeant } of parts)
    if (isMeant)
      await insertOperation(trx, {
        id: context.newId(),
        workerId: context.owner,
        actor: context.actor,
        kind,
        subject: { type: "attempt", id: attempt.id },
        before,
        after: null,
        status: "done",
        undoable: false,
        at,
        endedAt: at,
      });
  await attemptChanged(trx, attempt, { at, state: attempt.state });
}

/** The same object if nothing of it is meant. `allow`: names that it holds. */
function without(
  options: RunOptions,
  { allow, leaveOut, by, at }: TakeBack & { readonly by: string | null; readonly at: string },
): RunOptions {
  const isIn = (options.leaveOut ?? []).some((one) => !one.takenIn && leaveOut.includes(one.path));
  if (allow.length === 0 && !isIn) return options;
  const { allowance } = options;
  const taken = allow.map((name) => ({ name, by, at }));
  return {
    ...options,
    ...(allowance === undefined
      ? {}
      : { allowance: { ...allowance, takenBack: [...(allowance.takenBack ?? []), ...taken] } }),
    ...(options.leaveOut === undefined
      ? {}
      : {
          leaveOut: options.leaveOut.map((one) =>
            !one.takenIn && leaveOut.includes(one.path) ? { ...one, takenIn: at } : one,
          ),
        }),
  };
}

function nothingThere({ id }: Attempt, message: string, name: string): Refusal {
  return refuse("conflict", "nothing_to_take_back", message, {
    remedy: `\`tazuna show ${shortId(id)}\` lists what was allowed, and what was left out.`,
    details: { attempt: id, name },
  });
}
