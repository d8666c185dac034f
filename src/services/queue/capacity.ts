/** Says what this machine has left for runs: slots, logins, money and room on the disk. */
import { ok } from "neverthrow";
import { readUsage, USAGE } from "../../domain/agent/usage-fact.ts";
import { diskFloor } from "../../domain/run/scheduling.ts";
import { stillWaits } from "../../domain/run/waiting.ts";
import { runsSince } from "../../storage/queries/runs-since.ts";
import { appendFact, latestFacts } from "../../storage/tables/facts.ts";
import { loginHolds } from "../../storage/tables/login-holds.ts";
import { transact } from "../../storage/transact.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { shownLogin } from "../agents/login-of.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Capacity } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";

type CapacityContext = Uses<"db" | "owner" | "paths" | "clock" | "configuration" | "dispatcher">;

export async function capacity(context: CapacityContext): Answer<Capacity> {
  const { values } = (await context.configuration(null)).unwrapOr({ values: null });
  return ok({
    ...(await room(context)),
    spent_today_usd: await spentToday(context),
    budget_usd: values?.limits.cost_usd ?? null,
  });
}

/** What a queued run may have to wait for. */
async function room(context: CapacityContext): Promise<Pick<Capacity, "slots" | "logins" | "disk">> {
  const now = context.clock.iso();
  const limits = (await context.configuration(null)).map(({ values }) => values.limits).unwrapOr(USUAL);
  const holds = (await loginHolds(context.db.reader)).filter(({ createdAt, resumeAt }) =>
    stillWaits({ began: createdAt, until: resumeAt }, now),
  );
  const { free, total } = await freeSpace(context.paths.root);
  return {
    slots: { used: context.dispatcher().active().length, limit: limits.parallel },
    logins: holds.flatMap(({ login, resumeAt, reason }) => {
      const shown = shownLogin(context, login);
      return shown === null ? [] : [{ login: shown, resume_at: resumeAt, reason }];
    }),
    disk: { free_bytes: free, floor_bytes: Math.round(diskFloor(total)), path: context.paths.root },
  };
}

const USUAL = { parallel: 8 };

/** A run that began earlier and went on after midnight counts, too: its cost is known as one sum. */
const EARLIER_MS = 2 * 24 * 3_600_000;

/** The known costs of the runs that worked since midnight, in US dollars. Midnight is that of the engine's time zone. */
async function spentToday({ db, clock }: Uses<"db" | "clock">): Promise<number> {
  const midnight = clock.now();
  midnight.setHours(0, 0, 0, 0);
  const since = new Date(midnight.getTime() - EARLIER_MS).toISOString();
  const runs = (await runsSince(db.reader, since)).filter(
    ({ endedAt }) => endedAt === null || endedAt >= midnight.toISOString(),
  );
  const working = runs.filter(({ phase }) => phase === "agent").map(({ id }) => id);
  const facts = await latestFacts(db.reader, { kind: USAGE, runIds: working });
  return runs.reduce((sum, { id, usage }) => {
    const fact = facts.get(id);
    return sum + ((fact === undefined ? usage : readUsage(fact.data))?.costUsd ?? 0);
  }, 0);
}

/** Announces a change of slots, of held logins, or of a disk that is nearly full; to be called after each look at the queue. */
export function createCapacityTeller(context: CapacityContext & Uses<"newFacts">): () => Promise<void> {
  let told = "";
  return async () => {
    const { slots, logins, disk } = await room(context);
    const data = { slots, logins, disk_full: disk.free_bytes < disk.floor_bytes };
    const now = JSON.stringify(data);
    const isNews = told === "" ? slots.used > 0 || logins.length > 0 || data.disk_full : now !== told;
    told = now;
    if (!isNews) return;
    const ids = { taskId: null, attemptId: null, runId: null };
    const at = context.clock.iso();
    await transact(context.db, (trx) => appendFact(trx, { at, kind: "capacity.changed", ...ids, data }));
    context.newFacts.notify();
  };
}
