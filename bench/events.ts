/** Measures a data folder with many runs and facts: the first page of a list, and a reader who catches up. */
import { openDatabase } from "../src/storage/database.ts";
import { nowMs } from "./support/clock.ts";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { fillDatabase } from "./support/fill-database.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { measureRounds, medianOf } from "./support/rounds.ts";
import { makeScratch } from "./support/scratch.ts";

const RUNS = 100_000;
/** A reader that is further behind is told to read again, and gets none of them. */
const FACTS = 99_000;
const ROUNDS = 15;
const HEALTH = "an answer that reads nothing";
const OPEN = "first page of the open tasks";
const ALL = "first page of all tasks";
/** Narrowed pages: by what every row has, by what none has, and by time. */
const NARROWED: Readonly<Record<string, string>> = {
  "first page of all attempts": "/attempts?limit=50",
  "first page of all runs": "/runs?limit=50",
  "all tasks of an agent": "/tasks?all=true&agent=claude-code&limit=50",
  "all tasks of an agent that has none": "/tasks?all=true&agent=nobody&limit=50",
  "all tasks of the last day": `/tasks?all=true&since=${new Date(Date.now() - 86_400_000).toISOString()}&limit=50`,
  "failed runs": "/runs?failed=true&limit=50",
  "runs of an agent that has none": "/runs?agent=nobody&limit=50",
  "failed attempts": "/attempts?failed=true&limit=50",
  "first page of the operations": "/operations?limit=50",
};
const CATCH_UP = `${FACTS} facts caught up`;

await using scratch = await makeScratch({ files: 1 });
await fill();
await using engine = await startEngine(scratch);
const pages = await measureRounds(
  [
    { name: HEALTH, run: async () => ({ [HEALTH]: await timeOf(() => fetched(engine, "/health")) }) },
    { name: OPEN, run: async () => ({ [OPEN]: await timeOf(() => fetched(engine, "/tasks?limit=50")) }) },
    {
      name: ALL,
      run: async () => ({ [ALL]: await timeOf(() => fetched(engine, "/tasks?all=true&limit=50")) }),
    },
    ...Object.entries(NARROWED).map(([name, path]) => ({
      name,
      run: async () => ({ [name]: await timeOf(() => fetched(engine, path)) }),
    })),
  ],
  ROUNDS,
);
const caught = await measureRounds(
  [{ name: CATCH_UP, run: async () => ({ [CATCH_UP]: await timeOf(() => catchUp(engine)) }) }],
  3,
);
printMeasures(`${RUNS} runs, ${FACTS} facts`, new Map([...pages, ...caught]), { raw: HEALTH, limits: {} });
printSummary("events", {
  open_page_ms: medianOf(pages, OPEN),
  all_page_ms: medianOf(pages, ALL),
  slowest_narrowed_ms: Math.max(...Object.keys(NARROWED).map((name) => medianOf(pages, name))),
  catch_up_ms: medianOf(caught, CATCH_UP),
  must: "page<20,catch_up<3000",
});

async function fill(): Promise<void> {
  const db = await openDatabase(
    { kind: "sqlite", file: `${scratch.home}/tazuna.db` },
    { backupDir: `${scratch.home}/backups`, programVersion: "bench" },
  );
  if (db.isErr()) throw new Error(db.error.message);
  await fillDatabase(db.value, { repository: scratch.clone, runs: RUNS, facts: FACTS });
  await db.value.close();
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = nowMs();
  await act();
  return nowMs() - began;
}

async function fetched(of: BenchEngine, path: string): Promise<void> {
  const response = await ask(of, path);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}

/** Reads the stream from the first fact on, until the last one was seen. */
async function catchUp(of: BenchEngine): Promise<void> {
  const response = await ask(of, "/events?after=0");
  let facts = 0;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.includes("event: fact")) facts += 1;
    if (facts >= FACTS) return;
  }
  throw new Error(`the stream ended after ${facts} facts`);
}

function ask(of: BenchEngine, path: string): Promise<Response> {
  return fetch(`${of.url}/api/v1${path}`, { headers: { authorization: `Bearer ${of.token}` } });
}
