/** Counts the connections of a member, and holds some of them up: the others get through, and nothing waits without end. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { executeSql } from "../../src/storage/postgres/execute-sql.ts";
import { STATEMENT_MS } from "../../src/storage/postgres/postgres-pool.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { renewLeases } from "../../src/storage/tables/run-lease.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { insertRequest } from "../../src/storage/team/requests.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { silentLine } from "../helpers/silent-line.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun, NOON } from "../storage/sample-rows.ts";
import { join, type Member, teamWorld, type World } from "./teams.ts";

setDefaultTimeout(120_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";
const HERE = "0193f2a0-7c1e-7b5a-9d3c-0123456789ab";
/** Of a member without the engine's locks. */
const MOST = 4;
const terms = { owner: HERE, forMs: 60_000 };
const nothing = { onNews: () => undefined, onError: () => undefined };
const noFact = { at: NOON, kind: "told", taskId: null, attemptId: null, runId: null, data: {} };

/** A run whose lease `HERE` holds. */
async function holdRun({ db }: Member): Promise<void> {
  await transact(db, async (trx) => {
    await registerWorker(trx, { id: HERE, version: "1.0.0", slots: 2, host: "here" });
    await insertSampleRun(trx);
    await trx.updateTable("runs").set({ leaseOwner: HERE, leaseUntil: NOON }).execute();
  });
}

/** The numbers of sessions, as the server gave them, of which `that` is true. */
const sessions = async (world: World, that: string) =>
  (await world.ask(`select pid from pg_stat_activity where ${that}`)).map(({ pid }) => Number(pid));

const ask = ({ db, team }: Member, worker: string, id: string) => {
  const call = {
    method: "POST",
    path: "/",
    body: "",
    idempotencyKey: null,
    caller: "program",
    actor: null,
  } as const;
  const access = { id: "t", name: "bot", scope: "write", expiresAt: NOON, person: null } as const;
  return insertRequest(db, { id, workerId: worker, askedBy: HERE, call: { ...call, access } }, (trx) =>
    team.look(worker, { run: null, attempt: null, request: id }, executeSql(trx)),
  );
};

const took = async (act: () => Promise<unknown>) => {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
};

describe.skipIf(skipped !== "")(deep(`the connections of an engine${skipped}`), () => {
  test("forty statements at once use four, and none waits for another without end", async () => {
    await using world = await teamWorld();
    const before = new Set(await sessions(world, "application_name = 'tazuna'"));
    const member = await world.join(HERE, { listens: true });
    await holdRun(member);
    const { db, team } = member;
    let most = 0;
    const counting = new AbortController();
    const counted = (async () => {
      while (!counting.signal.aborted) {
        const open = await sessions(world, "application_name = 'tazuna'");
        most = Math.max(most, open.filter((pid) => !before.has(pid)).length);
      }
    })();
    const acts: readonly ((n: number) => Promise<unknown>)[] = [
      // Each asks for a queue that is not there yet: on another connection, in the middle of its transaction.
      (n) => ask(member, `${HERE.slice(0, -2)}${n + 10}`, `request-${n}`),
      (n) =>
        transact(db, async (trx) => {
          await appendFact(trx, noFact);
          await getRun(db.reader, "run-1");
          await team.look(`${HERE.slice(0, -2)}${n + 50}`, { run: "run-1", attempt: null }, executeSql(trx));
        }),
      () => getRun(db.reader, "run-1"),
      () => renewLeases(db, terms),
    ];
    const spent = await took(() =>
      Promise.all(Array.from({ length: 40 }, (_, n) => acts[n % acts.length]?.(n))),
    );
    counting.abort();
    await counted;
    expect(spent).toBeLessThan(STATEMENT_MS);
    expect(most).toBe(MOST);
    expect(member.told.filter((line) => line.startsWith("error"))).toEqual([]);
  });

  test("neither slow reads nor a stuck transaction hold up a lease, a job, or a request", async () => {
    await using world = await teamWorld();
    const member = await world.join(HERE);
    await holdRun(member);
    const { db } = member;
    await ask(member, HERE, "request-0");
    // Another engine that is stuck in its turn.
    await world.ask("select pg_advisory_lock(7268002, hashtext($1))", [world.target.schema]);
    const slow = Array.from({ length: 4 }, () => sql`select pg_sleep(3)`.execute(db.reader));
    const write = transact(db, (trx) => appendFact(trx, noFact));
    const events =
      "select wait_event as event from pg_stat_activity where wait_event in ('advisory', 'PgSleep')";
    const reached = waitFor("two that read and one that writes", async () => {
      const waiting = (await world.ask(events)).map(({ event }) => event);
      return waiting.toSorted().join() === "PgSleep,PgSleep,advisory";
    });
    // Before the first of them has ended.
    expect(await took(() => reached)).toBeLessThan(2_500);
    const spent = await took(async () => {
      expect([...(await renewLeases(db, terms)).keys()]).toEqual(["run-1"]);
      await member.execute("select 1", []);
      await ask(member, HERE, "request-1");
    });
    expect(spent).toBeLessThan(1_000);
    await world.ask("select pg_advisory_unlock(7268002, hashtext($1))", [world.target.schema]);
    await write;
    await Promise.all(slow);
  });

  test("a transaction that changed a run tells a worker although a lease waits for that run", async () => {
    await using world = await teamWorld();
    const member = await world.join(HERE);
    await holdRun(member);
    const { db, team } = member;
    const other = `${HERE.slice(0, -2)}77`;
    const { renewed, spent } = await transact(db, async (trx) => {
      await trx.updateTable("runs").set({ instruction: "changed" }).execute();
      const renewing = renewLeases(db, terms);
      await waitFor("the lease to wait", async () => {
        const waiting = await sessions(world, "wait_event_type = 'Lock' and query like '%lease_until%'");
        return waiting.length > 0;
      });
      const telling = () => team.look(other, { run: "run-1", attempt: null }, executeSql(trx));
      return { spent: await took(telling), renewed: () => renewing };
    });
    expect(spent).toBeLessThan(2_000);
    expect([...(await renewed()).keys()]).toEqual(["run-1"]);
  });

  test("a listening session that was dropped without a word is noticed by what else uses it", async () => {
    await using world = await teamWorld();
    await using line = await silentLine(world.target.url);
    const over = await join({ ...world.target, url: line.url }, HERE);
    const hearing = over.db.hearOthers?.(nothing);
    const heard: string[] = [];
    await over.db.listen?.(
      "there",
      (payload) => void heard.push(payload),
      () => undefined,
    );
    const tell = (word: string) => world.ask("select pg_notify('there', $1)", [word]);
    await waitFor("the session", async () => {
      await tell("before");
      return heard.length > 0;
    });
    line.drop();
    const spent = await took(() => renewLeases(over.db, terms).catch(() => undefined));
    expect(spent).toBeLessThan(STATEMENT_MS + 3_000);
    const again = waitFor("the next session", async () => {
      await tell("after");
      return heard.includes("after");
    });
    // The ping alone would notice later.
    expect(await took(() => again)).toBeLessThan(10_000);
    await hearing?.stop();
    await over.leave();
  });
});
