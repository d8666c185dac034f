/** Lists the workers that share a Postgres with this one, and itself. */
import { ok, type Result } from "neverthrow";
import { hasBegun } from "../../domain/run/waiting.ts";
import { isFarOff, isOff } from "../../domain/worker/clock-offset.ts";
import { PROTOCOL } from "../../domain/worker/protocol.ts";
import { stateNow } from "../../domain/worker/worker.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { unfinishedOf } from "../../storage/team/drains.ts";
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
  const { reader } = context.db;
  const workers = await listWorkers(reader);
  const draining = workers.filter(({ drainingSince }) => drainingSince !== null).map(({ id }) => id);
  const goOn = await goingOn(reader, draining);
  const shown = workers.map((worker) => {
    const { id, name, version, slots, agents, labels, state, startedAt, seenAt, seenAgoMs, busy, pinned } =
      worker;
    return {
      ...{ id, name, version, agents, labels, pinned, here: id === own },
      state: stateNow(state, seenAgoMs),
      drain:
        worker.drainingSince === null
          ? null
          : {
              since: worker.drainingSince,
              by: worker.drainActor,
              stops_at: worker.drainBy,
              runs: goOn.get(id) ?? 0,
            },
      clock: isOff(worker.clockMs)
        ? { ahead_ms: worker.clockMs ?? 0, begins_nothing: isFarOff(worker.clockMs) }
        : null,
      older: worker.protocol < PROTOCOL,
      slots: { used: busy, limit: slots },
      started_at: startedAt,
      seen_at: seenAt,
      seen_s: Math.floor(seenAgoMs / 1_000),
    };
  });
  return ok(shown.toSorted((one, other) => Number(other.here) - Number(one.here)));
}

/** How many runs go on at each of these workers: those that have begun, and those that it has just taken. */
export async function goingOn(db: Reader, workers: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const unfinished = await unfinishedOf(db, workers);
  return new Map(
    [...unfinished].map(([worker, runs]) => [
      worker,
      runs.filter((run) => hasBegun(run) || run.lease !== null).length,
    ]),
  );
}
