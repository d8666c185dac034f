/** Lets two engines on one Postgres tell the same webhook: it hears of each need once. */
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { ok } from "neverthrow";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { notifyPeople } from "../../src/services/notify/notify-people.ts";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { transact } from "../../src/storage/transact.ts";
import { isThere } from "../../src/utils/files/is-there.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun } from "../storage/sample-rows.ts";

const title = "a webhook that two engines have in their settings hears of each need once";
const NEEDS = 5;

function hook() {
  const heard: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      heard.push(JSON.parse(await request.text()).url);
      return new Response(null, { status: 204 });
    },
  });
  return {
    webhook: `http://127.0.0.1:${server.port}/`,
    heard,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
  async () => {
    const url = await postgresUrl();
    const target = { kind: "postgres", url, schema: `test_${randomBytes(8).toString("hex")}` } as const;
    const open = async () =>
      (await openDatabase(target, { backupDir: "/nowhere", programVersion: "0.1.0" }))._unsafeUnwrap();
    await using folder = await tempDir();
    await using team = hook();
    await using own = hook();
    const stop = new AbortController();
    const begin = (db: Database, owner: string, webhook: string) => {
      const newFacts = createNotifier();
      const hearing = db.hearOthers?.({ onNews: newFacts.notify, onError: fail });
      const notify = { webhook, webhook_secret_env: null };
      const notified = join(folder.path, owner);
      const context = {
        ...{ db, owner, newFacts, clock: systemClock, userEnv: {}, engineStop: stop.signal },
        paths: { notified },
        configuration: async () => ok({ without: { notify } }),
        timing: { notifyMs: [] },
        reportFault: (_: string, error: unknown) => fail(error),
      } as unknown as ServiceContext;
      const told = notifyPeople(context, { pageOf: () => owner });
      return { db, newFacts, notified, end: () => Promise.all([told, hearing?.stop()]) };
    };
    const dbs = [await open(), await open(), await open()] as const;
    await transact(dbs[0], insertSampleRun);
    const failure = { code: "agent_failed", message: "It failed.", remedy: "Again.", details: {} } as const;
    await transact(dbs[0], (trx) =>
      moveRun(trx, {
        id: "run-1",
        expect: { status: "PENDING", phase: "queued", epoch: null },
        to: { status: "FAILED", phase: null },
        set: { failure, endedAt: systemClock.iso() },
      }),
    );
    const engines = [
      begin(dbs[0], "one", team.webhook),
      begin(dbs[1], "two", team.webhook),
      begin(dbs[2], "three", own.webhook),
    ];
    for (const { notified } of engines) await waitFor("it to have begun", () => isThere(notified));
    const ids = { taskId: "task-1", attemptId: "attempt-1", runId: "run-1" };
    const data = { status: "FAILED", outcome: null };
    for (let count = 0; count < NEEDS; count++) {
      await transact(dbs[0], (trx) =>
        appendFact(trx, { ...ids, at: systemClock.iso(), kind: "run.state", data }),
      );
      engines[0]?.newFacts.notify();
    }
    const { rows } = await sql<{ last: number }>`select max(seq) as last from facts`.execute(dbs[0].reader);
    for (const { notified } of engines)
      await waitFor(
        "each engine to know that all is told",
        async () => (await Bun.file(notified).json()).seq === rows[0]?.last,
      );
    stop.abort();
    for (const { end } of engines) await end();
    expect([team.heard.length, own.heard.length]).toEqual([NEEDS, NEEDS]);
    await sql`drop schema ${sql.id(target.schema)} cascade`.execute(dbs[0].reader);
    for (const db of dbs) await db.close();
  },
  120_000,
);

function fail(error: unknown): never {
  throw error;
}
