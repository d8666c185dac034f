/** Hears of facts that another engine writes to the same Postgres, also after its session was ended. */
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Client } from "pg";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { NOON } from "./sample-rows.ts";

const ids = { taskId: null, attemptId: null, runId: null };
const tell = (trx: WriteTransaction) => appendFact(trx, { at: NOON, kind: "told", ...ids, data: {} });

interface Two {
  readonly one: Database;
  readonly other: Database;
  /** How often `one` was woken. */
  readonly wakes: () => number;
  readonly faults: unknown[];
  /** Runs SQL as an administrator. */
  readonly admin: Client;
  /** The numbers of the sessions that listen. */
  readonly listeners: () => Promise<readonly number[]>;
}

const onTwo = (title: string, body: (two: Two) => Promise<void>, timeoutMs = 60_000) =>
  test.skipIf("missing" in postgres)(
    deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
    () => withTwo(body),
    timeoutMs,
  );

async function withTwo(body: (two: Two) => Promise<void>): Promise<void> {
  const url = await postgresUrl();
  const schema = `test_${randomBytes(8).toString("hex")}`;
  const target = { kind: "postgres", url, schema } as const;
  const options = { backupDir: "/nowhere", programVersion: "0.1.0" };
  const one = (await openDatabase(target, options))._unsafeUnwrap();
  const other = (await openDatabase(target, options))._unsafeUnwrap();
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows: known } = await admin.query<{ channel: string }>(
    "select 'tazuna_facts_' || md5($1) as channel",
    [schema],
  );
  const listeners = async () =>
    (
      await admin.query<{ pid: number }>(
        "select pid from pg_stat_activity where query = $1 and pid <> pg_backend_pid()",
        [`listen "${known[0]?.channel}"`],
      )
    ).rows.map(({ pid }) => pid);
  const faults: unknown[] = [];
  let wakes = 0;
  const hearing = one.hearOthers?.({
    onNews: () => {
      wakes++;
    },
    onError: (error) => faults.push(error),
  });
  try {
    await waitFor("a session that listens", async () => (await listeners()).length === 1);
    await body({ one, other, wakes: () => wakes, faults, admin, listeners });
  } finally {
    await hearing?.stop();
    expect(await listeners()).toEqual([]);
    await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.end();
    await other.close();
    await one.close();
  }
}

const since = (begun: number) => performance.now() - begun;

onTwo("a fact of another engine wakes within 500 ms, and own facts wake nobody again", async (two) => {
  for (let round = 1; round <= 3; round++) {
    const begun = performance.now();
    await transact(two.other, tell);
    await waitFor("the wake", () => two.wakes() === round);
    expect(since(begun)).toBeLessThan(500);
  }
  for (let count = 0; count < 20; count++) await transact(two.one, tell);
  await transact(two.other, async (trx) => {
    await tell(trx);
    throw new Error("no");
  }).catch(() => undefined);
  // Notifications come in the order of their transactions.
  await transact(two.other, tell);
  await waitFor("the last wake", () => two.wakes() > 3);
  expect(two.wakes()).toBe(4);
  expect(two.faults).toEqual([]);
});

onTwo("what is written once the listening session was ended is heard within 2.5 s", async (two) => {
  const [session] = await two.listeners();
  await two.admin.query("select pg_terminate_backend($1)", [session]);
  const begun = performance.now();
  await transact(two.other, tell);
  await waitFor("the wake", () => two.wakes() === 1);
  expect(since(begun)).toBeLessThan(2_500);
  await waitFor("another session", async () => (await two.listeners()).some((pid) => pid !== session));
  const again = performance.now();
  await transact(two.other, tell);
  await waitFor("the next wake", () => two.wakes() === 2);
  expect(since(again)).toBeLessThan(500);
});

onTwo("a look finds what no notification told", async (two) => {
  const begun = performance.now();
  // As it is behind a pooler that hands each transaction to another session: the channel stays silent.
  await transact(two.other, (trx) =>
    sql`insert into facts (at, kind, data) values (${NOON}, 'told', '{}')`.execute(trx),
  );
  await waitFor("the wake", () => two.wakes() === 1);
  expect(since(begun)).toBeLessThan(2_500);
});

onTwo(
  "1,000 facts are few wakes",
  async (two) => {
    const begun = performance.now();
    for (let count = 0; count < 900; count++) await transact(two.other, tell);
    await transact(two.other, async (trx) => {
      for (let count = 0; count < 100; count++) await tell(trx);
    });
    const most = since(begun) / 50 + 3;
    await waitFor("a wake", () => two.wakes() > 0);
    expect(two.wakes()).toBeLessThan(most);
    // On a machine so slow that this fails, the test would say nothing.
    expect(most).toBeLessThan(900);
  },
  120_000,
);
