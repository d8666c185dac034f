/** Sends what reviewers and failed checks say to the agent, as a follow-up of the attempt. */
import { err, ok, type Result, safeTry } from "neverthrow";
import {
  failedChecks,
  newPoints,
  type OpenPoints,
  openThreads,
  theirs,
} from "../../domain/pull-request/open-points.ts";
import { ownPointWords, pointWords } from "../../domain/pull-request/point-words.ts";
import type { Handed, Tracked } from "../../domain/pull-request/tracked.ts";
import { wasRemoved } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { RequestContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { FollowUp } from "../core/request-shapes.ts";
import { followUpRun } from "../requests/follow-up-run.ts";
import { redactorOf } from "./attempt-words.ts";
import type { ForgeAt } from "./find-forge.ts";
import { forgeRefusal } from "./forge-refusal.ts";
import { type LookContext, lookNow } from "./look-at-pull-request.ts";
import { pullRequestLock, storePullRequest } from "./store-pull-request.ts";

export type SendContext = LookContext & RequestContext & WorktreeContext & Uses<"tokens">;

/** The id of the new run. The forge is asked first: only what is true now is sent. */
export async function sendPoints(
  context: SendContext,
  input: FollowUp,
  key: string | null,
): Promise<Result<string, Refusal>> {
  return context.attemptLock.run(pullRequestLock(input.attempt), () =>
    safeTry(async function* () {
      const looked = await lookNow(context, input.attempt);
      const id = shortId(input.attempt);
      if (looked === null || looked.tracked.number === null) return err(noPullRequest(id));
      const { tracked, at, error } = looked;
      const again = `tazuna continue ${id} ${input.fromReview === null ? "--from-checks" : "--from-review"}`;
      if (error !== null || at === null)
        return err(error === null ? noPullRequest(id) : forgeRefusal(error, input.attempt, again));
      const runs = await runsOfAttempt(context.db.reader, input.attempt);
      const removed = new Set(runs.filter(wasRemoved).map(({ id: run }) => run));
      const points = yield* chosen(tracked, input, removed);
      const { instruction, ownLength } = await instructionOf(context, at, {
        points,
        words: input.instruction,
      });
      const also = noteHanded(context, { points, by: "person" });
      return ok(yield* await followUpRun(context, { ...input, instruction }, key, { also, ownLength }));
    }),
  );
}

/** With the end of the log of each failed check, as far as the forge has it. `ownLength`: what comes before. */
export async function instructionOf(
  context: Uses<"userEnv" | "tokens">,
  { forge }: ForgeAt,
  { points, words }: { readonly points: OpenPoints; readonly words: string | null },
): Promise<{ readonly instruction: string; readonly ownLength: number }> {
  const checks = [];
  for (const check of points.checks.slice(0, MAX_LOGS))
    checks.push({ ...check, log: (await forge.checkLog(check)).unwrapOr(null) });
  const rest = points.checks.slice(MAX_LOGS).map((check) => ({ ...check, log: null }));
  const redact = redactorOf(context);
  return {
    instruction: redact(pointWords({ threads: points.threads, checks: [...checks, ...rest] }, words)),
    ownLength: redact(ownPointWords(words)).length,
  };
}

/** An agent reads no more logs at once. */
const MAX_LOGS = 5;

/** Stores with the run what it got, so that nothing is sent twice by itself. */
export function noteHanded(
  { clock }: Uses<"clock">,
  { points, by }: { readonly points: OpenPoints; readonly by: Handed["by"] },
): (trx: WriteTransaction, run: Run) => Promise<void> {
  return async (trx, run) => {
    const tracked = await pullRequestOf(trx, run.attemptId);
    const attempt = await getAttempt(trx, run.attemptId);
    if (tracked === null || attempt === null) return;
    const at = clock.iso();
    const handed: Handed = {
      run: run.id,
      at,
      by,
      head: tracked.head.sha ?? "",
      checks: points.checks.map(({ name }) => name),
      comments: points.threads.flatMap((thread) => theirs(thread).map(({ id }) => id)),
    };
    await storePullRequest(trx, attempt, {
      tracked: { ...tracked, handed: [...tracked.handed, handed] },
      at,
    });
  };
}

/** What is named, even if it was sent before; else what is new. */
function chosen(
  tracked: Tracked,
  { attempt, fromReview, fromChecks }: FollowUp,
  removed: ReadonlySet<string>,
): Result<OpenPoints, Refusal> {
  const fresh = newPoints(tracked, removed);
  const [open, failed] = [openThreads(tracked), failedChecks(tracked)];
  const missing = [
    ...(fromReview ?? []).filter((id) => !open.some((thread) => thread.id === id)),
    ...(fromChecks ?? []).filter((name) => !failed.some((check) => check.name === name)),
  ];
  if (missing.length > 0) return err(notOpen(shortId(attempt), missing));
  const points = {
    threads: fromReview?.length === 0 ? fresh.threads : open.filter(({ id }) => fromReview?.includes(id)),
    checks: fromChecks?.length === 0 ? fresh.checks : failed.filter(({ name }) => fromChecks?.includes(name)),
  };
  if (points.threads.length + points.checks.length > 0) return ok(points);
  return err(nothingNew(shortId(attempt), { threads: open.length, checks: failed.length }));
}

export function noPullRequest(id: string): Refusal {
  return refuse("conflict", "no_pull_request", "The attempt has no pull request yet.", {
    remedy: `\`tazuna pr ${id}\` opens one.`,
  });
}

function notOpen(id: string, missing: readonly string[]): Refusal {
  return refuse(
    "not_found",
    "not_found",
    `Neither an open thread nor a failed check: ${missing.join(", ")}.`,
    {
      remedy: `\`tazuna show ${id}\` names what is open.`,
      details: { missing },
    },
  );
}

function nothingNew(id: string, open: { readonly threads: number; readonly checks: number }): Refusal {
  const isOld = open.threads + open.checks > 0;
  const message = isOld
    ? "There is nothing new: what is open was sent to the agent before."
    : "There is nothing to send: no thread is open, and no check failed.";
  return refuse("conflict", "nothing_new", message, {
    remedy: isOld
      ? `\`tazuna show ${id}\` names what is open; named behind \`--from-review\` or \`--from-checks\`, it is sent again.`
      : `\`tazuna continue ${id} "..."\` sends words of your own.`,
    details: open,
  });
}
