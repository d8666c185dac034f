/** Tidies up a real depot by what the database says: replaced copies go, the last of each attempt stays. */
import { expect } from "bun:test";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { collectDepot } from "../../src/services/depot/collect-depot.ts";
import { dropSnapshots, insertSnapshot } from "../../src/storage/tables/snapshots.ts";
import { noteProtected } from "../../src/storage/team/protections.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { depotServer } from "../helpers/depot-server.ts";
import { NOON, sampleRun } from "../storage/sample-rows.ts";

const attemptId = "attempt-1";

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
    const context = {
      ...{ db, git: server.git },
      reportFault: (_: string, error: unknown) => {
        throw error;
      },
    } as unknown as ServiceContext;
    const collect = () => collectDepot(context, server.folder);
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
