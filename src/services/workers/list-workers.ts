/** Lists the workers that share a Postgres with this one, and itself. */
import { ok, type Result } from "neverthrow";
import { stateNow } from "../../domain/worker/worker.ts";
import { listWorkers } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import type { Refusal } from "../core/refusal.ts";
import type { ListedWorker } from "../core/screen-shapes.ts";

/** This worker first, then by name. Empty on an SQLite: it serves one engine alone. */
export async function shownWorkers(
  context: Uses<"db" | "owner">,
): Promise<Result<readonly ListedWorker[], Refusal>> {
  const own = ownWorker(context);
  if (own === null) return ok([]);
  const shown = (await listWorkers(context.db.reader)).map(
    ({ id, name, version, slots, agents, state, startedAt, seenAt, seenAgoMs, busy, pinned }) => ({
      ...{ id, name, version, agents, pinned, here: id === own },
      state: stateNow(state, seenAgoMs),
      slots: { used: busy, limit: slots },
      started_at: startedAt,
      seen_at: seenAt,
      seen_s: Math.floor(seenAgoMs / 1_000),
    }),
  );
  return ok(shown.toSorted((one, other) => Number(other.here) - Number(one.here)));
}
