/** Starts what a working engine watches as time passes: leases, logs, pull requests, its own settings, other workers. */

import { showDepotKey, watchDepot } from "../../services/depot/watch-depot.ts";
import { sendLogs } from "../../services/log-chunks/send-logs.ts";
import { watchLost } from "../../services/moving/take-over.ts";
import type { AnswerDesk } from "../../services/placing/answer-asked.ts";
import { readAddresses } from "../../services/repositories/read-address.ts";
import { type ForgottenContext, watchForgotten } from "../../services/requests/forgotten-cancels.ts";
import type { ReturnContext } from "../../services/returned/keep-left.ts";
import { watchReturned } from "../../services/returned/watch-returned.ts";
import { watchLeases } from "../../services/run-core/keep-lease.ts";
import { announceWorker, leaveWorkers, tellSkills } from "../../services/workers/announce.ts";
import { watchClock } from "../../services/workers/watch-clock.ts";
import { watchStanding } from "../../services/workers/watch-standing.ts";
import type { Others } from "./team.ts";
import { watchPullRequests } from "./watch-pull-requests.ts";
import { watchOwnSettings } from "./watch-settings.ts";

export interface Watches {
  /** They end at once. `left` tells other workers that this one ends, once it does nothing more. */
  stop(): { readonly ended: Promise<unknown>; left(): Promise<void> };
}

type WatchContext = Parameters<typeof watchPullRequests>[0] &
  Parameters<typeof watchLeases>[0] &
  Parameters<typeof watchOwnSettings>[0] &
  Parameters<typeof announceWorker>[0] &
  Parameters<typeof tellSkills>[0] &
  Parameters<typeof readAddresses>[0] &
  Parameters<typeof watchStanding>[0] &
  Parameters<typeof watchClock>[0] &
  Parameters<typeof watchLost>[0] &
  ForgottenContext &
  ReturnContext &
  Parameters<typeof watchDepot>[0] &
  Parameters<typeof sendLogs>[0] &
  Parameters<Others["join"]>[0];

/** Other workers are told first that this one is there. */
export async function startWatches(
  context: WatchContext,
  options: {
    readonly told: Parameters<typeof announceWorker>[1];
    readonly others: Others;
    readonly desk: Pick<AnswerDesk, "look">;
    /** This worker was removed: the engine has to end. */
    readonly onRemoved: () => void;
  },
): Promise<Watches> {
  const { db, newFacts, reportFault } = context;
  const { told, others, desk, onRemoved } = options;
  const reporting = (what: string, act: Promise<void>) => act.catch((error) => reportFault(what, error));
  const skills = () => void reporting("telling other workers what this one can do", tellSkills(context));
  await reporting("telling other workers of this one", announceWorker(context, told));
  await reporting("getting a key for the depot", showDepotKey(context));
  skills();
  const addresses = reporting("reading the addresses of the repositories", readAddresses(context));
  const standing = watchStanding(context, onRemoved);
  const clock = watchClock(context);
  await reporting("comparing the clock with that of the database", clock.look());
  const watches = [
    ...[
      watchPullRequests(context),
      watchOwnSettings(context, skills),
      watchLeases(context),
      watchLost(context),
      watchForgotten(context),
      watchReturned(context),
    ],
    standing,
    clock,
  ];
  const depot = watchDepot(context);
  const logs = sendLogs(context);
  const heard = db.hearOthers?.({
    onNews: () => newFacts.notify(),
    onError: (error) => reportFault("hearing of other workers", error),
  });
  const team = others.join(context, { atSelf: standing.look, atRequest: desk.look });
  return {
    stop: () => {
      for (const watch of watches) watch.stop();
      return {
        ended: Promise.all([heard?.stop(), addresses, depot.stop(), logs.stop()]),
        // The team last: by it somebody learns that what waits here may begin elsewhere.
        left: async () => {
          await reporting("telling other workers that this one ends", leaveWorkers(context));
          await team.leave();
        },
      };
    },
  };
}
