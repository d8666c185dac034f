/** Adds a later run to an attempt: a follow-up of the agent, the person's own edits, a retry, or only the push. */
import { err, type Result } from "neverthrow";
import { isEnded, type RunKind } from "../../domain/run/state.ts";
import { getRun, runsOfAttempt } from "../../storage/runs.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { FollowUp, Refusal, Retry } from "../services.ts";
import { addRun, openAttempt, settingsOption, wasOffline } from "./add-run.ts";
import { refuseHeldBack } from "./held-back.ts";

/** The id of a new run at the end of the attempt's queue; what was held before it goes on with it. */
export async function followUpRun(
  context: ServiceContext,
  input: FollowUp,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const instruction = input.instruction?.trim() ?? "";
  const commitsEdits = input.instruction === null;
  if (!commitsEdits && instruction === "")
    return err(
      refuse("bad_request", "empty_instruction", "The instruction is empty.", {
        remedy: "Say what is to be done, or leave it out to commit your own edits.",
      }),
    );
  const attempt = await openAttempt(context, input.attempt);
  if (attempt.isErr()) return err(attempt.error);
  return addRun(context, attempt.value, {
    kind: commitsEdits ? "commit" : "agent",
    instruction: commitsEdits ? "Commit my edits" : instruction,
    options: { ...(input.mergeBase ? { mergeBase: true } : {}), ...settingsOption(input.settings) },
    offline: await wasOffline(context, attempt.value.id),
    releasesHeld: true,
    key,
  });
}

/** Tries an ended run again: from its start, or only its push. */
export async function retryRun(
  context: ServiceContext,
  { run: runId, from, settings }: Retry,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  if (!isEnded(run.status))
    return err(
      refuse("conflict", "run_not_ended", `The run ${runId.slice(0, 8)} has not ended yet.`, {
        remedy: "Wait for it with `tazuna wait`, or stop it first.",
      }),
    );
  if (from === "push" && run.commit === null)
    return err(
      refuse("conflict", "nothing_to_push", `The run ${runId.slice(0, 8)} made no commit.`, {
        remedy: "Retry it from its start: `tazuna retry RUN`.",
      }),
    );
  if (from === "push") {
    const heldBack = refuseHeldBack(await runsOfAttempt(context.db.reader, run.attemptId));
    if (heldBack !== null) return err(heldBack);
  }
  const attempt = await openAttempt(context, run.attemptId);
  if (attempt.isErr()) return err(attempt.error);
  const kind: RunKind = from === "push" ? "publish" : run.kind;
  const { mergeBase, fromWorktree, budgetUsd } = run.options;
  return addRun(context, attempt.value, {
    kind,
    instruction: run.instruction,
    options: {
      retryOf: run.id,
      ...(mergeBase === undefined ? {} : { mergeBase }),
      ...(fromWorktree === undefined ? {} : { fromWorktree }),
      ...(budgetUsd === undefined ? {} : { budgetUsd }),
      ...settingsOption({ ...run.options.settings, ...settings }),
    },
    offline: run.offline,
    releasesHeld: false,
    key,
  });
}
