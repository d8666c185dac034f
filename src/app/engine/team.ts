/** Joins the other engines on the same Postgres, and looks at what they ask it to look at. */
import { setTimeout as delay } from "node:timers/promises";
import { joinTeam, type Team } from "../../dispatch/team.ts";
import { tellSeldom } from "../../dispatch/tell-seldom.ts";
import type { CleanUpContext } from "../../services/core/context-parts.ts";
import { lookAt } from "../../services/requests/look-at.ts";
import type { StopContext } from "../../services/requests/stop-run.ts";
import { tellPresent, tellSilent } from "../../services/workers/announce.ts";

interface Membership {
  /** Before the database is closed. */
  leave(): Promise<void>;
}

/** How long until it is tried again, if the database refuses. */
const AGAIN_MS = 10_000;

/** An engine on an SQLite has no others, and loads nothing of it. */
export function joinOthers(context: StopContext & CleanUpContext): Membership {
  if (context.db.kind === "sqlite") return { leave: async () => {} };
  const leaving = new AbortController();
  const joining = joinUntil(context, leaving.signal);
  return {
    leave: async () => {
      leaving.abort();
      await (await joining)?.stop();
    },
  };
}

async function joinUntil(context: StopContext & CleanUpContext, leaving: AbortSignal): Promise<Team | null> {
  const { executeSql, schemaOf } = await import("../../storage/postgres/execute-sql.ts");
  const { reader } = context.db;
  const onError = tellSeldom((error) => context.reportFault("the team", error));
  while (!leaving.aborted) {
    try {
      return await joinTeam({
        execute: executeSql(reader),
        ...(context.db.listen === undefined ? {} : { listen: context.db.listen }),
        schema: await schemaOf(reader),
        worker: context.owner,
        onLook: (at) => lookAt(context, at),
        onSilent: (worker) => tellSilent(context, worker),
        onPresent: (worker) => tellPresent(context, worker),
        onError,
      });
    } catch (error) {
      onError(error);
      await delay(AGAIN_MS, undefined, { signal: leaving }).catch(() => undefined);
    }
  }
  return null;
}
