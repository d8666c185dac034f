/** Sends failed checks and review comments to the agent by itself, if a person switched that on (`forge.fix_loop`). */
import { decideLoop, type LoopVerdict } from "../../domain/pull-request/fix-loop.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { wasRemoved } from "../../domain/run/queue.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { addRun } from "../requests/add-run.ts";
import type { ForgeAt } from "./find-forge.ts";
import type { Looked } from "./look-at-pull-request.ts";
import { instructionOf, noteHanded, type SendContext } from "./send-points.ts";
import { pullRequestLock } from "./store-pull-request.ts";

/** Decides once more inside the transaction: a person's run that came meanwhile comes first. */
export async function fixByItself(context: SendContext, { place, at, error }: Looked): Promise<void> {
  if (at === null || error !== null || !at.settings.fix_loop.enabled) return;
  const { id } = place.attempt;
  await context.attemptLock.run(pullRequestLock(id), async () => {
    const verdict = await judge(context.db.reader, id, at);
    if (verdict === null || !verdict.act) return;
    const { points } = verdict;
    const note = noteHanded(context, { points, by: "loop" });
    const { instruction, ownLength } = await instructionOf(context, at, { points, words: null });
    const added = await addRun(context, place.attempt, {
      kind: "agent",
      instruction,
      options: { ownLength },
      offline: false,
      releasesHeld: false,
      key: null,
      also: async (trx, run) => {
        const now = await judge(trx, id, at, run.id);
        if (now === null || !now.act) throw new Overtaken();
        await note(trx, run);
      },
    }).catch((thrown: unknown) => {
      if (thrown instanceof Overtaken) return null;
      throw thrown;
    });
    if (added?.isErr())
      context.reportFault(
        `fixing the pull request of attempt ${id} by itself`,
        new Error(added.error.message),
      );
  });
}

/** A person asked for something at the same moment. */
class Overtaken extends Error {}

async function judge(
  reader: Reader,
  attemptId: string,
  { settings }: ForgeAt,
  without: string | null = null,
): Promise<LoopVerdict | null> {
  const tracked: Tracked | null = await pullRequestOf(reader, attemptId);
  const attempt = await getAttempt(reader, attemptId);
  if (tracked === null || attempt === null) return null;
  const runs = (await runsOfAttempt(reader, attemptId)).filter(({ id }) => id !== without);
  return decideLoop({
    ...settings.fix_loop,
    tracked,
    attempt: {
      open: attempt.state === "open",
      runs: runs.map((run) => ({
        id: run.id,
        ended: isEnded(run.status),
        stopped: run.status === "CANCELED",
        removed: wasRemoved(run),
      })),
    },
  });
}
