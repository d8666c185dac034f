import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "pg";
import {
  type Holder,
  type PostgresEngineLock,
  takePostgresEngineLock,
} from "../../src/storage/postgres/postgres-engine-lock.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(420_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

/** Takes the locks of a worker, counting how often their loss was told. */
async function taken(
  url: string,
  worker = "one",
): Promise<{ readonly lock: PostgresEngineLock; readonly lost: () => number }> {
  let lost = 0;
  const onLost = () => {
    lost += 1;
  };
  const lock = (await takePostgresEngineLock({ url, schema: null }, { worker, onLost }))._unsafeUnwrap();
  if (typeof lock === "string") throw new Error(`the lock is held: ${lock}`);
  return { lock, lost: () => lost };
}

async function another(url: string, worker = "two"): Promise<Holder | "together" | "by itself"> {
  const target = { url, schema: null };
  const options = { worker, onLost: () => undefined, patienceMs: 0 };
  const lock = (await takePostgresEngineLock(target, options))._unsafeUnwrap();
  if (typeof lock === "string") return lock;
  await lock.release();
  return lock.isAlone ? "by itself" : "together";
}

/** The lock of programs that worked alone. */
const EARLIER = "(7268003, hashtext(current_schema()))";

async function asked<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return ask(client).finally(() => client.end());
}

/** The sessions that hold the lock, and those that wait for it. */
const sessions = (url: string, granted: boolean) =>
  asked(url, async (client) => {
    const sql = "select pid from pg_locks where locktype = 'advisory' and granted = $1";
    return (await client.query<{ pid: number }>(sql, [granted])).rows.map(({ pid }) => pid);
  });

describe.skipIf(skipped !== "")(deep(`the engine's lock on a Postgres${skipped}`), () => {
  test("keeps others out while it is alone, lets them in once it is shared, and each worker once", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    expect([lock.isAlone, await another(server.url)]).toEqual([true, "alone"]);
    await lock.share();
    expect([await another(server.url), await another(server.url, "one")]).toEqual(["together", "worker"]);
    const second = await taken(server.url, "two");
    expect(second.lock.isAlone).toBe(false);
    await second.lock.share();
    await lock.release();
    await lock.release();
    expect([await another(server.url, "one"), await another(server.url)]).toEqual(["together", "worker"]);
    await second.lock.release();
    expect(await another(server.url)).toBe("by itself");
    expect([lost(), second.lost()]).toEqual([0, 0]);
  });

  test("never holds beside an engine of an earlier version, which is alone", async () => {
    await using server = await ownPostgres();
    const earlier = new Client({ connectionString: server.url });
    await earlier.connect();
    const take = () => earlier.query(`select pg_try_advisory_lock${EARLIER} as taken`);
    await take();
    expect(await another(server.url)).toBe("alone");
    await earlier.query(`select pg_advisory_unlock${EARLIER}`);
    const { lock } = await taken(server.url);
    await lock.share();
    expect((await take()).rows).toEqual([{ taken: false }]);
    await lock.release();
    await earlier.end();
  });

  test("is taken again, shared, after the server was started anew", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    await server.stop();
    await server.start();
    await waitFor("the locks to be held again", async () => (await sessions(server.url, true)).length === 2);
    expect([await another(server.url), await another(server.url, "one")]).toEqual(["together", "worker"]);
    expect(lost()).toBe(0);
    await lock.release();
    expect(await another(server.url)).toBe("by itself");
  });

  test("is reported lost, once, if another engine got it while the connection was broken", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    await lock.share();
    const [holder] = await sessions(server.url, true);
    // A process that waits for it has it as soon as its holder is gone.
    const rival = new Client({ connectionString: server.url });
    await rival.connect();
    const waiting = rival.query(`select pg_advisory_lock${EARLIER}`);
    await waitFor("the rival to wait", async () => (await sessions(server.url, false)).length === 1);
    await asked(server.url, (client) => client.query("select pg_terminate_backend($1)", [holder]));
    await waiting;
    await waitFor("the loss to be told", () => lost() > 0);
    await lock.release();
    await rival.end();
    expect(lost()).toBe(1);
    expect(await another(server.url)).toBe("by itself");
  });

  test("is released, and told nothing of, while the server is away", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    await server.stop();
    await lock.release();
    await server.start();
    expect(await another(server.url)).toBe("by itself");
    expect(lost()).toBe(0);
  });
});
