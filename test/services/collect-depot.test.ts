/** Tidies up a real depot by what the database says: replaced copies go, the last of each attempt stays. */
import { expect } from "bun:test";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { leftRef } from "../../src/domain/worker/left-worktree.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { collectDepot } from "../../src/services/depot/collect-depot.ts";
import { databaseTime } from "../../src/storage/schema/database-time.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { dropSnapshots, insertSnapshot } from "../../src/storage/tables/snapshots.ts";
import { endOffer, insertLeft, offerKept } from "../../src/storage/team/left-worktrees.ts";
import { noteProtected } from "../../src/storage/team/protections.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { depotServer, leftBy } from "../helpers/depot-server.ts";
import { NOON, sampleRun } from "../storage/sample-rows.ts";

const attemptId = "attempt-1";
const DAY_MS = 24 * 3_600_000;

function collecting(db: Database, { git, folder }: Awaited<ReturnType<typeof depotServer>>) {
  const context = {
    ...{ db, git, timing: { trashKeepMs: DAY_MS } },
    reportFault: (_: string, error: unknown) => {
      throw error;
    },
  } as unknown as ServiceContext;
  return () => collectDepot(context, folder);
}

onBothDatabases(
  "replaced copies and dropped snapshots go, the last copy and what nobody knows stay",
  async ({ db }) => {
    await using server = await depotServer(db);
    const epoch = (await server.lease("a")) ?? 0;
    const live = (number: number) => `refs/tazuna/live/${attemptId}/run-1/${epoch}/${number}`;
    const snapshot = (number: number) => `refs/tazuna/snapshots/${attemptId}/${number}`;
    const refs = [live(1), live(2), live(3), live(4), snapshot(1), snapshot(2)];
    expect(
      await server.push(
        "a",
        refs.map((ref) => `HEAD:${ref}`),
      ),
    ).toBeNull();
    const sha = await server.sandbox.git(server.repository, ["rev-parse", "HEAD"]);
    await transact(db, async (trx) => {
      const speaker = { attemptId, worker: "a", lease: { id: sampleRun.id, epoch } };
      await noteProtected(trx, speaker, { ref: live(3), sha, tree: sha, base: sha, runId: sampleRun.id });
      for (const number of [1, 2])
        await insertSnapshot(trx, {
          ...{ attemptId, number, runId: null, ref: snapshot(number), commit: sha, reason: "test" },
          ...{ notContained: [], createdAt: NOON, droppedAt: null },
        });
      await dropSnapshots(trx, { attemptId, numbers: [1], at: NOON });
    });
    const incoming = join(server.folder, "incoming");
    for (const name of ["call-old", "call-now"]) await mkdir(join(incoming, name));
    await utimes(join(incoming, "call-old"), new Date(NOON), new Date(NOON));
    const collect = collecting(db, server);
    // As two servers on one disk.
    await Promise.all([collect(), collect()]);
    expect(await server.refs()).toEqual([live(2), live(3), live(4), snapshot(2)]);
    expect(await readdir(incoming)).toEqual(["call-now"]);
    // Of a database that does not know the attempt, nothing goes.
    await transact(db, async (trx) => {
      for (const table of ["protections", "snapshots", "runs", "attempts"] as const)
        await trx.deleteFrom(table).execute();
    });
    await collect();
    expect(await server.refs()).toEqual([live(2), live(3), live(4), snapshot(2)]);
  },
  { timeoutMs: 180_000 },
);

onBothDatabases(
  "what a worker that came back had stays while it is offered, and as long after that as the trash keeps things",
  async ({ db }) => {
    await using server = await depotServer(db);
    const left = await leftBy(server, "b");
    await transact(db, (trx) => insertLeft(trx, left));
    expect(await server.push("b", [`HEAD:${leftRef(left)}`])).toBeNull();
    await transact(db, (trx) => offerKept(trx, left));
    const collect = collecting(db, server);
    await collect();
    expect(await server.refs()).toEqual([leftRef(left)]);
    await transact(db, (trx) => endOffer(trx, left, "discarded"));
    await collect();
    expect(await server.refs()).toEqual([leftRef(left)]);
    await transact(db, (trx) =>
      trx
        .updateTable("leftWorktrees")
        .set({ endedAt: databaseTime(trx, -DAY_MS - 60_000) })
        .execute(),
    );
    await collect();
    expect(await server.refs()).toEqual([]);
  },
  { timeoutMs: 180_000 },
);
