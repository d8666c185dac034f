/** Joins the other engines on the same Postgres, and looks at what they ask it to look at. */
import { setTimeout as delay } from "node:timers/promises";
import type { Chore } from "../../dispatch/chores.ts";
import { joinTeam, type Team } from "../../dispatch/team.ts";
import { tellSeldom } from "../../dispatch/tell-seldom.ts";
import type { ServiceContext } from "../../services/core/context.ts";
import type { CleanUpContext } from "../../services/core/context-parts.ts";
import { type PlacingContext, placeWaiting } from "../../services/moving/place-waiting.ts";
import { lookAt } from "../../services/requests/look-at.ts";
import type { StopContext } from "../../services/requests/stop-run.ts";
import { tellPresent, tellSilent } from "../../services/workers/announce.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { StorageFailure, storageError } from "../../storage/schema/storage-error.ts";

type TeamLink = ReturnType<ServiceContext["team"]>;

type JoinContext = StopContext & CleanUpContext & PlacingContext;

/** Who looks at what is no run and no attempt. */
interface OtherLooks {
  /** What the row of this worker says has changed. */
  readonly atSelf: () => Promise<void>;
  /** Another worker asks for something. */
  readonly atRequest: (id: string) => void;
}

/** The other engines, as this one meets them. */
export interface Others {
  /** What its services tell them. */
  readonly link: TeamLink;
  /** Has it done by one of the engines that can do it, from when this one has joined. On an SQLite there is no chore. */
  chore(chore: Chore): void;
  /** Once this engine has recovered. Ends by `leave`, before the database is closed. */
  join(context: JoinContext, looks: OtherLooks): { leave(): Promise<void> };
}

/** How long until it is tried again, if the database refuses. */
const AGAIN_MS = 10_000;

/** So long a request waits for an engine that has just begun. */
const JOIN_MS = 5_000;

/** An engine on an SQLite has no others, and loads nothing of it. */
export function createOthers(kind: Database["kind"]): Others {
  if (kind === "sqlite")
    return {
      link: { meet: async () => undefined, tell: async () => undefined, placeSoon: async () => undefined },
      chore: () => undefined,
      join: () => ({ leave: async () => undefined }),
    };
  let current: Team | null = null;
  const { promise: joined, resolve } = Promise.withResolvers<Team | null>();
  const soon = async () => {
    const team = await Promise.race([joined, delay(JOIN_MS, null, { ref: false })]);
    if (team === null) throw new StorageFailure(storageError("database_unreachable", NOT_JOINED));
    return team;
  };
  return {
    link: {
      meet: async (worker) => (await soon()).meet(worker),
      tell: async (trx, worker, at) => {
        const { executeSql } = await import("../../storage/postgres/execute-sql.ts");
        await (await soon()).look(worker, at, trx === null ? undefined : executeSql(trx));
      },
      // What came before this engine joined is looked at once it has.
      placeSoon: async () => current?.place(),
    },
    chore: (chore) => void joined.then((team) => team?.chore(chore)),
    join: (context, looks) => {
      const leaving = new AbortController();
      const joining = joinUntil(context, looks, leaving.signal);
      void joining.then((team) => {
        current = team;
        resolve(team);
        return team?.place();
      });
      return {
        leave: async () => {
          leaving.abort();
          await (await joining)?.stop();
        },
      };
    },
  };
}

const NOT_JOINED = "The queue of jobs for other workers, which lies in the database, cannot be used yet.";

async function joinUntil(
  context: JoinContext,
  looks: OtherLooks,
  leaving: AbortSignal,
): Promise<Team | null> {
  const { executeSql, schemaOf } = await import("../../storage/postgres/execute-sql.ts");
  const { reader, writes } = context.db;
  const onError = tellSeldom((error) => context.reportFault("the team", error));
  while (!leaving.aborted) {
    try {
      return await joinTeam({
        execute: executeSql(writes.aside),
        executeBeside: executeSql(reader),
        ...(context.db.listen === undefined ? {} : { listen: context.db.listen }),
        schema: await schemaOf(reader),
        worker: context.owner,
        onLook: async (at) => {
          // An answer may take long, and no other look waits for it.
          if (at.request !== undefined) return looks.atRequest(at.request);
          if (at.run === null && at.attempt === null) await looks.atSelf();
          await lookAt(context, at);
        },
        onPlace: () => placeWaiting(context),
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
