import { expect } from "bun:test";
import { sql } from "kysely";
import { findInvite, insertInvite, useInvite } from "../../src/storage/team/invites.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";

const MINUTE = 60_000;

const invite = ({ db }: TestDatabase, hash: string, forMs = 15 * MINUTE) =>
  transact(db, (trx) => insertInvite(trx, { hash, forMs }));

onBothDatabases("of several workers with one invitation exactly one gets in", async (on) => {
  // Only a Postgres serves several engines.
  const others = on.target.kind === "sqlite" ? [] : await Promise.all([1, 2, 3].map(() => on.open()));
  for (let round = 0; round < 20; round++) {
    const hash = `hash-${round}`;
    await invite(on, hash);
    const claims = [on.db, ...others].flatMap((db, index) =>
      [0, 1].map(async (second) => {
        const worker = `worker-${index}-${second}`;
        const isIn = await transact(db, (trx) => useInvite(trx, { hash, worker }));
        return isIn ? [worker] : [];
      }),
    );
    const admitted = (await Promise.all(claims)).flat();
    expect(admitted).toHaveLength(1);
    expect((await findInvite(on.db.reader, hash))?.usedBy).toBe(admitted[0] ?? "");
  }
});

onBothDatabases(
  "an invitation expires by the clock of the database, and is told from an unknown one",
  async (on) => {
    const expiresAt = await invite(on, "fresh");
    await invite(on, "late", -1);
    expect(await findInvite(on.db.reader, "fresh")).toMatchObject({
      isExpired: false,
      usedAt: null,
      expiresAt,
    });
    expect(await findInvite(on.db.reader, "late")).toMatchObject({ isExpired: true, usedAt: null });
    expect(await findInvite(on.db.reader, "other")).toBeNull();
    const use = (hash: string) => transact(on.db, (trx) => useInvite(trx, { hash, worker: "worker" }));
    expect([await use("late"), await use("other"), await use("fresh"), await use("fresh")]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  },
);

onBothDatabases("an old invitation is forgotten when the next one is made", async (on) => {
  await invite(on, "old", -8 * 24 * 60 * MINUTE);
  await invite(on, "used");
  await transact(on.db, (trx) => useInvite(trx, { hash: "used", worker: "worker" }));
  await invite(on, "new");
  const { rows } = await sql<{ hash: string }>`select hash from invites order by hash`.execute(on.db.reader);
  expect(rows.map(({ hash }) => hash)).toEqual(["new", "used"]);
});
