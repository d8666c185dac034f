/** Sends the logs of this worker's runs while its engine works, once a second. */
import { tellSeldom } from "../../dispatch/tell-seldom.ts";
import { purgeLogs } from "../../storage/team/sent-logs.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { createLogSender, type SenderContext } from "./sender.ts";

const SEND_MS = 1_000;

/**
 * Begins once the engine has recovered. Nothing is sent on an SQLite, which serves one engine alone. A database that is away
 * delays it: what is new stays in the files until it is back. `stop` sends what is there by then.
 */
export function sendLogs(context: SenderContext & Uses<"owner" | "reportFault">): { stop(): Promise<void> } {
  const worker = ownWorker(context);
  if (worker === null) return { stop: async () => undefined };
  const onFault = tellSeldom((error) => context.reportFault("sending logs to the database", error));
  const sender = createLogSender(context, { worker, onFault });
  let sending: Promise<void> | null = null;
  const send = () => {
    sending ??= sender()
      .catch(onFault)
      .finally(() => {
        sending = null;
      });
    return sending;
  };
  // What an earlier process had begun to delete goes too.
  const purged = purgeLogs(context.db).catch(onFault);
  const timer = setInterval(send, SEND_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all([sending, purged]);
      await send();
    },
  };
}
