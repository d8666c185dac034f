/** Stores a worker that was invited, before its engine has started. */
import { PROTOCOL } from "../../domain/worker/protocol.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import { databaseTime } from "../schema/database-time.ts";
import { type Reader, type WriteTransaction, workers } from "../schema/schema.ts";
import { freeName } from "./workers.ts";

/** With its row it has its name. One that worked here before keeps its own, unless another one is wanted. */
export async function admitWorker(
  trx: WriteTransaction,
  worker: Pick<Worker, "id" | "version" | "slots"> & { readonly host: string; readonly name: string | null },
): Promise<Worker> {
  const { id, name } = worker;
  const now = databaseTime(trx);
  const chosen = name ?? (await freeName(trx, worker));
  // Only a worker of the same version is let in.
  const told = { version: worker.version, slots: worker.slots, protocol: PROTOCOL };
  const row = await trx
    .insertInto("workers")
    .values({
      id,
      name: chosen,
      agents: "[]",
      labels: "[]",
      ...told,
      state: "stopped",
      startedAt: now,
      seenAt: now,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ ...told, ...(name === null ? {} : { name }) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return workers.read(row);
}

/** The worker with this id, also if it was removed, and the one with this name. */
export async function workersNamed(
  db: Reader,
  { id, name }: { readonly id: string; readonly name: string | null },
): Promise<readonly Pick<Worker, "id" | "name" | "removedAt">[]> {
  return db
    .selectFrom("workers")
    .select(["id", "name", "removedAt"])
    .where((eb) =>
      eb.or([
        eb("id", "=", id),
        ...(name === null ? [] : [eb.and([eb("name", "=", name), eb("removedAt", "is", null)])]),
      ]),
    )
    .execute();
}
