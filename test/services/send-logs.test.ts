/** Sends logs to a real Postgres: one statement for all runs, fenced by their leases. */
import { expect } from "bun:test";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { NOTHING_SENT } from "../../src/domain/run/log-series.ts";
import { command } from "../../src/executors/command/index.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { sendLogs } from "../../src/services/log-chunks/send-logs.ts";
import { createLogSender } from "../../src/services/log-chunks/sender.ts";
import { runLog } from "../../src/services/logs/run-log.ts";
import { createStreamCache } from "../../src/services/logs/stream-cache.ts";
import { readAgentEvents } from "../../src/services/runs/agent/read-stream.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { getAttempt, insertAttempt } from "../../src/storage/tables/attempts.ts";
import { releaseLease, takeLease } from "../../src/storage/tables/run-lease.ts";
import { getRun, insertRun } from "../../src/storage/tables/runs.ts";
import { chunksAfter, sendParts, seriesOfRun } from "../../src/storage/team/log-chunks.ts";
import { purgeLogs, removeSentLog, sentSizes } from "../../src/storage/team/sent-logs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onPostgresAlone, type TestDatabase } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "../storage/sample-rows.ts";

/** An SQLite has nobody to send to. */
function onPostgres(what: string, body: (on: TestDatabase) => Promise<void>): void {
  onPostgresAlone(what, body, { timeoutMs: 180_000 });
}

function contextOf(db: Database, folder: string) {
  return {
    ...{ db, owner: "a", leases: new Map() },
    paths: { run: (id: string) => join(folder, id) },
    reportFault: (what: string, error: unknown) => {
      throw new Error(what, { cause: error });
    },
  } as unknown as ServiceContext;
}

/** Runs with files, whose leases `a` holds. */
async function begin(context: ServiceContext, ids: readonly string[]): Promise<void> {
  await transact(context.db, async (trx) => {
    await insertSampleRun(trx);
    for (const id of ids) {
      const attemptId = `attempt-of-${id}`;
      const own = { branch: `tazuna/${id}`, worktree: `/data/worktrees/${id}` };
      await insertAttempt(trx, { ...sampleAttempt, ...own, id: attemptId });
      await insertRun(trx, { ...sampleRun, id, attemptId });
    }
  });
  for (const id of ids) {
    await mkdir(context.paths.run(id));
    await lease(context, id, "a");
  }
}

async function lease(context: ServiceContext, id: string, owner: string): Promise<number | null> {
  const epoch = await transact(context.db, (trx) => takeLease(trx, { id, owner, forMs: -1 }));
  if (owner === "a") context.leases.set(id, { epoch, lost: new AbortController() });
  return epoch;
}

const print = (context: ServiceContext, id: string, text: string) =>
  appendFile(join(context.paths.run(id), "out.jsonl"), text);

async function sentOf(db: Database, runId: string, workerId = "a"): Promise<string> {
  const chunks = await chunksAfter(db.reader, { runId, workerId }, { after: 0, limit: 10_000 });
  expect(chunks.map(({ number }) => number)).toEqual(chunks.map((_, index) => index + 1));
  return chunks.map(({ bytes }) => Buffer.from(Bun.zstdDecompressSync(Uint8Array.from(bytes)))).join("");
}

const senderOf = (context: ServiceContext) =>
  createLogSender(context, {
    worker: "a",
    onFault: (error) => {
      throw error;
    },
  });

onPostgres("logs of twenty runs need one statement a second", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  const ids = Array.from({ length: 20 }, (_, index) => `run-of-${index}`);
  await begin(context, ids);
  const logs = sendLogs(context);
  let all = "";
  for (let round = 0; round < 6; round++) {
    all += `line ${round}\n`;
    for (const id of ids) await print(context, id, `line ${round}\n`);
    await waitFor("it to be sent", async () => (await sentOf(db, ids[19] ?? "")) === all);
  }
  await logs.stop();
  for (const id of ids) expect(await sentOf(db, id)).toBe(all);
  // Each statement is a transaction of its own.
  const { rows } = await sql<{ statements: number; seconds: number }>`select
    count(distinct xmin::text)::integer as statements,
    extract(epoch from max(at::timestamptz) - min(at::timestamptz))::float8 as seconds from log_chunks`.execute(
    db.reader,
  );
  const { statements, seconds } = rows[0] ?? { statements: 0, seconds: 0 };
  expect(statements).toBeGreaterThan(1);
  // A busy machine carries out some of them late, and so closer to the next one.
  expect(statements).toBeLessThanOrEqual(2 * seconds + 3);
});

onPostgres("an epoch that was taken over sends nothing, and the rest does", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["mine", "taken"]);
  const send = senderOf(context);
  for (const id of ["mine", "taken"]) await print(context, id, "one\n");
  await send();
  await lease(context, "taken", "b");
  for (const id of ["mine", "taken"]) await print(context, id, "two\n");
  await send();
  await send();
  expect([await sentOf(db, "mine"), await sentOf(db, "taken")]).toEqual(["one\ntwo\n", "one\n"]);
  // Also once the other one gave it back.
  await transact(db, (trx) => releaseLease(trx, { id: "taken", epoch: 2 }));
  await send();
  expect(await sentOf(db, "taken")).toBe("one\n");
});

onPostgres("what was printed before a lease was given back is sent after it", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["run"]);
  const send = senderOf(context);
  await send();
  await print(context, "run", "last\n");
  await transact(db, (trx) => releaseLease(trx, { id: "run", epoch: 1 }));
  context.leases.delete("run");
  await db.writes.kysely.updateTable("runs").set({ status: "SUCCEEDED" }).where("id", "=", "run").execute();
  for (let times = 0; times < 3; times++) await send();
  expect(await sentOf(db, "run")).toBe("last\n");
  expect(await seriesOfRun(db.reader, "run")).toMatchObject([{ state: "ended", sent: { out: 5 } }]);
});

onPostgres(
  "a run that is taken once more and ends between two statements is sent as a whole",
  async ({ db }) => {
    await using folder = await tempDir();
    const context = contextOf(db, folder.path);
    await begin(context, ["run"]);
    const send = senderOf(context);
    await print(context, "run", "one\n");
    await send();
    await lease(context, "run", "a");
    await transact(db, (trx) => releaseLease(trx, { id: "run", epoch: 2 }));
    context.leases.delete("run");
    const end = {
      status: "SUCCEEDED",
      workerId: "a",
      endedAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
    await db.writes.kysely.updateTable("runs").set(end).where("id", "=", "run").execute();
    await print(context, "run", "two\n");
    for (let times = 0; times < 4; times++) await send();
    expect(await sentOf(db, "run")).toBe("one\ntwo\n");
    expect(await seriesOfRun(db.reader, "run")).toMatchObject([{ state: "ended", epoch: 2 }]);
  },
);

onPostgres("a process goes on from what the one before it had sent", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["run"]);
  await print(context, "run", "one\n");
  await senderOf(context)();
  await lease(context, "run", "a");
  await print(context, "run", `${"x".repeat(200_000)}\ntwo\n`);
  await senderOf(context)();
  expect(await sentOf(db, "run")).toBe(`one\n${"x".repeat(200_000)}\ntwo\n`);
});

onPostgres("of two statements that begin at one number one fails as a whole", async ({ db, open }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["run"]);
  const other = { ...context, db: await open() };
  for (let round = 0; round < 20; round++) {
    await print(context, "run", `${round}\n`);
    await Promise.allSettled([senderOf(context)(), senderOf(other)()]);
  }
  const all = Array.from({ length: 20 }, (_, round) => `${round}\n`).join("");
  expect(await sentOf(db, "run")).toBe(all);
  // The second chunk alone would leave a gap behind.
  const [{ chunks, sent } = { chunks: 0, sent: null }] = await seriesOfRun(db.reader, "run");
  const [from, bytes] = [sent?.out ?? 0, Bun.zstdCompressSync(Buffer.from("x"))];
  const late = [-1, 0].map(
    (back) => ({ file: "out", from: from + back, to: from + back + 1, bytes }) as const,
  );
  const next = { chunks: chunks + 1, sent: sent ?? NOTHING_SENT, launch: null, state: "going" } as const;
  const begun = sendParts(db, "a", [{ runId: "run", epoch: 1, chunks: late, next }]);
  expect(await begun.catch(() => "failed")).toBe("failed");
  expect(await sentOf(db, "run")).toBe(all);
});

onPostgres("a statement of which no answer came is not repeated, and nothing is left out", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["run"]);
  let answers = false;
  const aside = db.writes.aside.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!answers) throw new Error("no answer");
      return result;
    },
  });
  const send = senderOf({ ...context, db: { ...db, writes: { ...db.writes, aside } } });
  await print(context, "run", "one\n");
  await expect(send()).rejects.toThrow("no answer");
  answers = true;
  await print(context, "run", "two\n");
  await send();
  expect(await sentOf(db, "run")).toBe("one\ntwo\n");
});

onPostgres("what was sent of a log that is deleted goes, in batches; its steps stay", async ({ db }) => {
  await using folder = await tempDir();
  const context = contextOf(db, folder.path);
  await begin(context, ["gone", "kept"]);
  for (const id of ["gone", "kept"]) {
    await appendFile(join(context.paths.run(id), "tazuna.jsonl"), "{}\n");
    await print(context, id, "one\n");
  }
  await senderOf(context)();
  const { sent = null } = (await seriesOfRun(db.reader, "gone"))[0] ?? {};
  const more = Array.from({ length: 1200 }, (_, index) => ({
    ...({
      file: "out",
      from: 4 + index,
      to: 5 + index,
      bytes: Bun.zstdCompressSync(Buffer.from("\n")),
    } as const),
  }));
  const next = { chunks: 1202, sent: { ...(sent ?? { own: 0, places: 0, times: 0, err: 0 }), out: 1204 } };
  const part = {
    runId: "gone",
    epoch: 1,
    chunks: more,
    next: { ...next, launch: null, state: "ended" },
  } as const;
  expect((await sendParts(db, "a", [part])).size).toBe(1);
  expect([...(await sentSizes(db.reader, null)).keys()].sort()).toEqual(["gone", "kept"]);
  await removeSentLog(db, "gone");
  await purgeLogs(db);
  const left = await db.reader.selectFrom("logChunks").select(["runId", "file"]).orderBy("runId").execute();
  expect(left.map(({ runId, file }) => `${runId} ${file}`).sort()).toEqual(
    ["gone own", "kept out", "kept own"].sort(),
  );
  expect([...(await sentSizes(db.reader, null)).keys()]).toEqual(["kept"]);
});

onPostgres(
  "another worker reads what its own one reads, and primes an agent with it",
  async ({ db, open }) => {
    await using mine = await tempDir();
    await using others = await tempDir();
    const context = contextOf(db, mine.path);
    await begin(context, ["run"]);
    const parts = {
      executors: new Map([["command", command]]),
      ...{ newId: () => "id", selfCommand: ["tazuna"], userEnv: {} },
    };
    const here = { ...context, ...parts } as unknown as ServiceContext;
    const there = {
      ...contextOf(await open(), others.path),
      ...parts,
      owner: "b",
    } as unknown as ServiceContext;
    const set = (columns: Readonly<Record<string, string>>) =>
      db.writes.kysely.updateTable("runs").set(columns).where("id", "=", "run").execute();
    await db.writes.kysely.updateTable("attempts").set({ executor: "command" }).execute();
    await set({ workerId: "a", status: "RUNNING", agentStartedAt: "2026-01-02T12:00:00.000Z" });
    const step = (at: string) => `${JSON.stringify({ at, step: "setup", text: `at ${at}` })}\n`;
    const write = (file: string, text: string) => appendFile(join(here.paths.run("run"), file), text);
    // As an engine that reads on.
    const caches = new Map([here, there].map((each) => [each, createStreamCache()]));
    const read = async (from: ServiceContext) => {
      const all = { after: 0, limit: 100, tail: null, before: null, query: null };
      return (
        await runLog(from, caches.get(from) ?? createStreamCache(), { runId: "run", ...all })
      )._unsafeUnwrap();
    };
    const send = senderOf(context);

    await write("launch.json", JSON.stringify({ resumed: null }));
    await write("tazuna.jsonl", step("2026-01-02T11:59:00.000Z"));
    await write("err.places", "0 4\n");
    await write("err.log", "amid\n");
    await write("out.jsonl", "one\ntwo\n");
    await send();
    const begun = await read(there);
    expect(begun.lines.map(({ source }) => source)).toEqual(["tazuna", "agent", "stderr", "agent"]);
    expect(begun).toMatchObject({ ended: false, sent: { complete: false, worker: { id: "a" } } });

    // What comes after the agent has its number once all that it printed is there.
    await write("tazuna.jsonl", step("2026-01-02T12:01:00.000Z"));
    // Its end counts as just now, however long this takes: then the rest is waited for.
    await set({ status: "SUCCEEDED", endedAt: new Date(Date.now() + 3_600_000).toISOString() });
    await send();
    expect((await read(there)).lines.at(-1)).toMatchObject({ source: "agent", n: 4 });
    await write("out.jsonl", "three\n");
    context.leases.delete("run");
    for (let times = 0; times < 3; times++) await send();
    const [whole, sent] = [await read(here), await read(there)];
    expect(whole.lines.at(-1)).toMatchObject({ source: "tazuna", n: 6 });
    expect<unknown>({ ...sent, sent: null }).toEqual(whole);
    expect(sent.sent).toMatchObject({ complete: true });

    const [run, attempt] = [await getRun(db.reader, "run"), await getAttempt(db.reader, "attempt-of-run")];
    if (run === null || attempt === null) throw new Error("they are there");
    const events = await readAgentEvents(there, { run, attempt, executor: command });
    expect(events).toEqual(await readAgentEvents(here, { run, attempt, executor: command }));
    expect(events).toHaveLength(3);
  },
);
