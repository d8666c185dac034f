/** Adds a later run to an attempt: a follow-up, the person's own edits, a retry, or only the push (seed 003 Phase 4). */
import { err, type Result } from "neverthrow";
import { type Attempt, NO_AGENT } from "../../domain/attempt/attempt.ts";
import { sentText } from "../../domain/comment/sent-text.ts";
import { conflictStands, resolveInstruction } from "../../domain/run/resolving.ts";
import { isEnded, type RunKind } from "../../domain/run/state.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { listUnstaged } from "../../git/index/unstaged-files.ts";
import { readHead } from "../../git/refs/refs.ts";
import { operationInProgress } from "../../git/worktree/merge-state.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { commentsToSend, noteSent, refuseChanged } from "../comments/send-comments.ts";
import type { RequestContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { notEnded, notFound, type Refusal, refused, shortId } from "../core/refusal.ts";
import type { FollowUp, Retry } from "../core/request-shapes.ts";
import { forgetMessage } from "../drafts/ship-draft.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { noteNewestSeen } from "../viewed/viewed-files.ts";
import { addRun, type NewRunRequest, openAttempt } from "./add-run.ts";
import { refuseHeldBack } from "./held-back.ts";
import { settingsOption } from "./store-runs.ts";

/** What else goes with a follow-up. */
interface SentAlong extends Pick<NewRunRequest, "also"> {
  /** How far the person's own words reach in the instruction. */
  readonly ownLength?: number;
}

/** The id of a new run at the end of the attempt's queue. Runs that were held before it begin too. */
export async function followUpRun(
  context: WorktreeContext & RequestContext & Uses<"tokens">,
  input: FollowUp,
  key: string | null,
  along: SentAlong = {},
): Promise<Result<string, Refusal>> {
  const sent = await commentsToSend(context, input);
  if (sent.isErr()) return err(sent.error);
  const words = input.instruction?.trim() ?? "";
  const { instruction, ownLength } =
    sent.value.length === 0 ? { instruction: words, ownLength: undefined } : sentText(words, sent.value);
  const own = along.ownLength ?? ownLength;
  const commitsEdits = input.instruction === null && sent.value.length === 0;
  if (!commitsEdits && instruction === "")
    return refused("bad_request", "empty_instruction", "The instruction is empty.", {
      remedy: "Say what is to be done, or leave it out to commit your own edits.",
    });
  if ((!commitsEdits || input.resolve) && input.message !== null)
    return refused("bad_request", "message_without_edits", "A message is for edits of your own.", {
      remedy: "Leave out what the agent is asked to do, or leave out the message.",
    });
  const attempt = await openAttempt(context, input.attempt);
  if (attempt.isErr()) return err(attempt.error);
  const only =
    input.message === null && commitsEdits && (await wantsOnlyConflicts(context, input, attempt.value));
  if ((only || !commitsEdits) && attempt.value.executor === NO_AGENT) return withoutAgent(attempt.value);
  return addRun(context, attempt.value, {
    ...(only ? toResolve(attempt.value) : commitsEdits ? toCommit(input) : { kind: "agent", instruction }),
    options: {
      ...(input.mergeBase ? { mergeBase: true } : {}),
      ...(input.message === null ? {} : { message: input.message }),
      ...(only || input.resolve ? { resolve: only ? "only" : "first" } : {}),
      ...(own === undefined ? {} : { ownLength: own }),
      ...settingsOption(input.settings),
    },
    offline: await wasOffline(context, attempt.value.id),
    releasesHeld: true,
    key,
    refuses: (trx) => refuseChanged(trx, sent.value),
    also: async (trx, run) => {
      await noteSent(trx, run, sent.value);
      if (sent.value.length > 0) await noteNewestSeen(trx, attempt.value, run.createdAt);
      if (input.message !== null) await forgetMessage(context, trx, attempt.value);
      await along.also?.(trx, run);
    },
  });
}

/** A revert has no agent. */
function withoutAgent({ id, branch }: Attempt): Result<never, Refusal> {
  const message = `No agent works in the attempt ${shortId(id)}.`;
  return refused("bad_request", "no_agent", message, {
    remedy: `\`tazuna run "..." --base ${shellWord(branch)}\` begins a new attempt from its commit. Your own edits in its worktree are committed by \`tazuna continue ${shortId(id)}\`.`,
    details: { attempt: id },
  });
}

function toCommit({ message }: FollowUp) {
  return { kind: "commit", instruction: message ?? "Commit my edits" } as const;
}

function toResolve({ branch }: Attempt) {
  return { kind: "agent", instruction: resolveInstruction(branch) } as const;
}

/** Whether the request asks for that only, or a person's edit, commit or merge is not there to commit. */
async function wantsOnlyConflicts(
  { db, git }: Uses<"db" | "git">,
  { resolve }: FollowUp,
  attempt: Attempt,
): Promise<boolean> {
  if (resolve) return true;
  const runs = await runsOfAttempt(db.reader, attempt.id);
  const { commit } = runs.findLast((run) => run.commit !== null) ?? {};
  if (attempt.gitDir === null || commit === undefined || !conflictStands(runs)) return false;
  const target = worktreeTarget(attempt);
  const head = await readHead(git, target);
  if (head.isErr() || head.value.sha !== commit) return false;
  const [operation, edits] = await Promise.all([operationInProgress(git, target), listUnstaged(git, target)]);
  return operation.unwrapOr(undefined) === null && edits.isOk() && edits.value.length === 0;
}

/** Tries an ended run again: from its start, or only its push. */
export async function retryRun(
  context: WorktreeContext & RequestContext,
  { run: runId, from, offline, settings }: Retry,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  if (!isEnded(run.status)) return err(notEnded(runId));
  // A run that only publishes has a commit once that is pushed: its failure names this very way on.
  if (from === "push" && run.commit === null && run.kind !== "publish")
    return refused("conflict", "nothing_to_push", `The run ${shortId(runId)} made no commit.`, {
      remedy: `\`tazuna retry ${shortId(runId)}\` does it again from its start.`,
    });
  if (from === "push") {
    const heldBack = refuseHeldBack(await runsOfAttempt(context.db.reader, run.attemptId));
    if (heldBack !== null) return err(heldBack);
  }
  const attempt = await openAttempt(context, run.attemptId);
  if (attempt.isErr()) return err(attempt.error);
  const kind: RunKind = from === "push" ? "publish" : run.kind;
  const { mergeBase, resolve, fromWorktree, fromTree, budgetUsd, ownLength, message, review } = run.options;
  const { anotherBranch, recheck, base } = run.options;
  return addRun(context, attempt.value, {
    kind,
    instruction: run.instruction,
    options: {
      retryOf: run.id,
      ...(mergeBase === undefined ? {} : { mergeBase }),
      ...(resolve === undefined ? {} : { resolve }),
      ...(base === undefined ? {} : { base }),
      ...(fromWorktree === undefined ? {} : { fromWorktree }),
      ...(fromTree === undefined ? {} : { fromTree }),
      ...(ownLength === undefined ? {} : { ownLength }),
      ...(message === undefined ? {} : { message }),
      ...(budgetUsd === undefined ? {} : { budgetUsd }),
      ...(review === undefined ? {} : { review }),
      ...(kind === "publish" && anotherBranch ? { anotherBranch } : {}),
      ...(kind === "commit" && recheck ? { recheck } : {}),
      ...settingsOption({ ...run.options.settings, ...settings }),
    },
    offline: run.offline || offline,
    releasesHeld: false,
    key,
    ...(from === "push"
      ? { refuses: async (trx) => refuseHeldBack(await runsOfAttempt(trx, run.attemptId)) }
      : {}),
  });
}

/** An attempt that began without its remote goes on without it. */
async function wasOffline(context: Uses<"db">, attemptId: string): Promise<boolean> {
  return (await runsOfAttempt(context.db.reader, attemptId)).at(-1)?.offline ?? false;
}
