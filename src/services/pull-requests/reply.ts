/** Writes a person's words on a pull request, marked as Tazuna's, and looks at what is there then. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Reply } from "../core/decide-shapes.ts";
import { journaled } from "../core/journal.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { redactorOf } from "./attempt-words.ts";
import { forgeRefusal } from "./forge-refusal.ts";
import { findPullRequest } from "./list-pull-requests.ts";
import { type LookContext, lookNow } from "./look-at-pull-request.ts";
import { noPullRequest } from "./send-points.ts";
import { pullRequestLock } from "./store-pull-request.ts";

/** The forge is asked first, so that an answer goes to a thread that is there. Said twice, it is there once. */
export async function replyOnPullRequest(
  context: LookContext & Uses<"tokens">,
  { id, thread, body }: Reply,
): Promise<Result<Tracked, Refusal>> {
  const found = await findPullRequest(context, id);
  if (found.isErr()) return err(found.error);
  const { attemptId } = found.value;
  return context.attemptLock.run(pullRequestLock(attemptId), () =>
    safeTry(async function* () {
      const again = `tazuna pr ${shortId(attemptId)} --reply "..."`;
      const looked = await lookNow(context, attemptId);
      if (looked?.error) return err(forgeRefusal(looked.error, attemptId, again));
      const { tracked, at } = looked ?? {};
      if (!tracked || !at || tracked.number === null || tracked.state !== "open")
        return err(noPullRequest(shortId(attemptId)));
      const { number } = tracked;
      if (thread !== null && !tracked.threads.some((one) => one.id === thread))
        return err(noThread(shortId(attemptId), thread));
      const words = redactorOf(context)(body.trim());
      yield* (
        await journaled(
          context,
          {
            kind: "pull_request_comment",
            subject: { type: "attempt", id: attemptId },
            before: { number, thread, body: words },
          },
          () => at.forge.comment(number, { body: words, thread }),
          () => ({ number, thread }),
        )
      ).mapErr((error) => forgeRefusal(error, attemptId, again));
      return ok((await lookNow(context, attemptId))?.tracked ?? tracked);
    }),
  );
}

function noThread(id: string, thread: string): Refusal {
  return refuse("not_found", "not_found", `The pull request has no thread ${thread}.`, {
    remedy: `\`tazuna show ${id}\` names the threads.`,
    details: { thread },
  });
}
