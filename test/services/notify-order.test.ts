/** Lets several notifications end at once: what is remembered is the newest, in whatever order the disk is done. */
import { expect } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "neverthrow";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { notifyPeople } from "../../src/services/notify/notify-people.ts";
import { appendFact, lastSeq } from "../../src/storage/tables/facts.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun } from "../storage/sample-rows.ts";

const AT_ONCE = 8;
/** The disk is done in the right order by chance, now and then. */
const ROUNDS = 5;

/** Answers all of them once the last one came. */
function listener() {
  let waiting: (() => void)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (waiting.length === AT_ONCE) for (const answer of waiting) answer();
      await promise;
      return new Response(null, { status: 204 });
    },
  });
  return {
    webhook: `http://127.0.0.1:${server.port}/`,
    begin: () => {
      waiting = [];
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

onBothDatabases("a restart tells nothing again that was told before", async ({ db }) => {
  await using folder = await tempDir();
  await using hook = listener();
  await transact(db, insertSampleRun);
  const failure = { code: "agent_failed", message: "It failed.", remedy: "Try again.", details: {} } as const;
  await transact(db, (trx) =>
    moveRun(trx, {
      id: "run-1",
      expect: { status: "PENDING", phase: "queued", epoch: null },
      to: { status: "FAILED", phase: null },
      set: { failure, endedAt: systemClock.iso() },
    }),
  );
  const notified = join(folder.path, "notified.json");
  await writeFile(notified, JSON.stringify({ seq: await lastSeq(db.reader), failed: null }));
  const stop = new AbortController();
  const newFacts = createNotifier();
  const notify = { webhook: hook.webhook, webhook_secret_env: null };
  const told = notifyPeople(
    {
      ...{
        db,
        owner: "worker",
        newFacts,
        clock: systemClock,
        userEnv: {},
        paths: { notified },
        engineStop: stop.signal,
      },
      configuration: async () => ok({ without: { notify } }),
      timing: { notifyMs: [] },
      reportFault: (_: string, error: unknown) => {
        throw error;
      },
    } as unknown as ServiceContext,
    { pageOf: (id) => id },
  );
  for (let round = 0; round < ROUNDS; round++) {
    hook.begin();
    await transact(db, async (trx) => {
      const ids = { taskId: "task-1", attemptId: "attempt-1", runId: "run-1" };
      for (let count = 0; count < AT_ONCE; count++)
        await appendFact(trx, {
          ...ids,
          at: systemClock.iso(),
          kind: "run.state",
          data: { status: "FAILED", outcome: null },
        });
    });
    newFacts.notify();
    const last = await lastSeq(db.reader);
    const seq = async () => JSON.parse(await readFile(notified, "utf8")).seq;
    await waitFor("all to be remembered", async () => (await seq()) === last, {
      withinMs: 3_000,
      instead: seq,
    });
  }
  stop.abort();
  await told;
  expect(await readFile(notified, "utf8")).toContain('"failed":null');
});
