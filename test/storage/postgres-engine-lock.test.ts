import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "pg";
import {
  type PostgresEngineLock,
  takePostgresEngineLock,
} from "../../src/storage/postgres/postgres-engine-lock.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(180_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

/** Takes the lock, counting how often its loss was told. */
async function taken(
  url: string,
): Promise<{ readonly lock: PostgresEngineLock; readonly lost: () => number }> {
  let lost = 0;
  const onLost = () => {
    lost += 1;
  };
  const lock = (await takePostgresEngineLock({ url, schema: null }, { onLost }))._unsafeUnwrap();
  if (lock === "held") throw new Error("the lock is held");
  return { lock, lost: () => lost };
}

async function another(url: string): Promise<"held" | "taken"> {
  const target = { url, schema: null };
  const lock = (
    await takePostgresEngineLock(target, { onLost: () => undefined, patienceMs: 0 })
  )._unsafeUnwrap();
  if (lock === "held") return "held";
  await lock.release();
  return "taken";
}

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
  test("is held by one engine at a time, and free once it is released", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    expect(await another(server.url)).toBe("held");
    await lock.release();
    await lock.release();
    expect(await another(server.url)).toBe("taken");
    expect(lost()).toBe(0);
  });

  test("is taken again after the server was started anew", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    await server.stop();
    await server.start();
    await waitFor("the lock to be held again", async () => (await sessions(server.url, true)).length === 1);
    expect(await another(server.url)).toBe("held");
    expect(lost()).toBe(0);
    await lock.release();
    expect(await another(server.url)).toBe("taken");
  });

  test("is reported lost, once, if another engine got it while the connection was broken", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    const [holder] = await sessions(server.url, true);
    // A process that waits for it has it as soon as its holder is gone.
    const rival = new Client({ connectionString: server.url });
    await rival.connect();
    const waiting = rival.query(
      "select pg_advisory_lock((classid::bigint)::int, (objid::bigint)::int) from pg_locks where locktype = 'advisory'",
    );
    await waitFor("the rival to wait", async () => (await sessions(server.url, false)).length === 1);
    await asked(server.url, (client) => client.query("select pg_terminate_backend($1)", [holder]));
    await waiting;
    await waitFor("the loss to be told", () => lost() > 0);
    await lock.release();
    await rival.end();
    expect(lost()).toBe(1);
    expect(await another(server.url)).toBe("taken");
  });

  test("is released, and told nothing of, while the server is away", async () => {
    await using server = await ownPostgres();
    const { lock, lost } = await taken(server.url);
    await server.stop();
    await lock.release();
    await server.start();
    expect(await another(server.url)).toBe("taken");
    expect(lost()).toBe(0);
  });
});
