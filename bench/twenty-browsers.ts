/** Measures 20 real browsers on the board while 32 attempts run to their end, and looks whether any of them missed a fact. */
import type { ListedTask } from "../src/contract/task-document.ts";
import { boardOf, cardsOf } from "../web/src/features/attempts/cards.ts";
import {
  type BoardPage,
  browserPids,
  browserSeconds,
  launchBrowser,
  openBoard,
  type ShownBoard,
  type Told,
} from "./support/board-page.ts";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { costOf } from "./support/processes.ts";
import { printSummary, printTable } from "./support/report.ts";
import { makeScratch } from "./support/scratch.ts";
import { until } from "./support/until.ts";

const BROWSERS = 20;
const TASKS = 16;
const PER_TASK = 2;
const STEPS = 20;
const MEBIBYTE = 1024 ** 2;
/** Pixels: every card of every column is in sight, so that whole boards can be compared. */
const TALL = 4_000;

/** Says a line a second, each line once in the world, and writes a file at each. */
const AGENT = `for step in $(seq ${STEPS}); do
  echo "step $step of $TAZUNA_RUN"
  echo "$step" >> "made-$TAZUNA_RUN.txt"
  sleep 1
done`;

await using scratch = await makeScratch({ files: 200 });
const attempts = TASKS * PER_TASK;
await scratch.configure({
  agents: { steps: { executor: "command", command: [await scratch.script("steps", AGENT)] } },
  limits: { parallel: attempts, per_repository: attempts, per_login: attempts },
});
await using engine = await startEngine(scratch);
await using browser = await launchBrowser();
const boards: BoardPage[] = [];
for (let person = 0; person < BROWSERS; person++)
  boards.push(await openBoard(browser, engine, { height: TALL }));
const first = await newestSeq(engine);
const [secondsBefore, began] = [await browserSeconds(browser), performance.now()];

const tasks = [];
for (let task = 0; task < TASKS; task++)
  tasks.push(await engine.createTask(Array.from({ length: PER_TASK }, () => "steps")));
await until("every agent to work", () => areWorking(engine), { everyMs: 200 });
const working = await costOf([engine.pid, ...(await browserPids(browser))], 5_000);
const ended = [];
for (const { task } of tasks) ended.push(await engine.ended(task.id));
const wall = (performance.now() - began) / 1000;

const expected = await boardOfApi(engine);
const last = await newestSeq(engine);
const settled = performance.now();
const wrong = await unlike(boards, expected);
const settledMs = performance.now() - settled;
const facts = (await seqsBetween(engine, first, last)).filter((seq) => seq > first);
const told = await Promise.all(boards.map((board) => board.told()));
const missed = told.map(({ seqs }) => missing(facts, seqs));
const twice = told.map(({ seqs }) => seqs.length - new Set(seqs).size);
const seconds = await browserSeconds(browser);
const painted = told.flatMap((each) => each.painted).toSorted((one, other) => one - other);

const outcomes = ended
  .flatMap((task) => task.attempts)
  .flatMap(({ runs }) => runs.map(({ outcome }) => outcome));
const at = (share: number) =>
  painted[Math.min(painted.length - 1, Math.floor(painted.length * share))] ?? Number.NaN;
const [engineRss = Number.NaN, ...pageRss] = working.rss;
const own = working.own.slice(1).reduce((sum, each) => sum + each, 0);
printTable(
  `${BROWSERS} browsers, ${attempts} attempts, ${facts.length} facts, ${wall.toFixed(0)} s`,
  ["", "value"],
  [
    ["attempts that did not end pushed", String(outcomes.filter((outcome) => outcome !== "pushed").length)],
    ["browsers whose board differs from the API", String(wrong)],
    ["facts that a browser missed", String(sum(missed))],
    ["facts that came twice", String(sum(twice))],
    ["breaks of a stream", String(sum(told.map(({ breaks }) => breaks)))],
    ["last board right after the last run, ms", settledMs.toFixed(0)],
    ["live action to pixels, median ms", at(0.5).toFixed(1)],
    ["live action to pixels, 95th percentile ms", at(0.95).toFixed(1)],
    ["painted, overtaken", `${painted.length}, ${sum(told.map(({ overtaken }) => overtaken))}`],
    ["engine RSS MiB", (engineRss / MEBIBYTE).toFixed(0)],
    ["browser, own memory of all processes MiB", (own / MEBIBYTE).toFixed(0)],
    ["browser, processes", String(pageRss.length)],
    ["browser, processor seconds", (seconds.all - secondsBefore.all).toFixed(0)],
  ],
);
printSummary("twenty-browsers", {
  facts: facts.length,
  missed: sum(missed),
  wrong,
  breaks: sum(told.map(({ breaks }) => breaks)),
  pixels_ms: at(0.5),
  pixels_p95_ms: at(0.95),
  engine_mib: engineRss / MEBIBYTE,
  browser_mib: own / MEBIBYTE,
  must: "missed=0,wrong=0",
});
if (wrong > 0 || sum(missed) > 0) process.exitCode = 1;

async function areWorking(of: BenchEngine): Promise<boolean> {
  const listed = await listedTasks(of);
  const runs = listed.flatMap((task) => task.attempts).flatMap((attempt) => attempt.runs);
  return runs.length === attempts && runs.every(({ status }) => status !== "PENDING");
}

async function listedTasks(of: BenchEngine): Promise<readonly ListedTask[]> {
  const listed = await of.client.tasks({ limit: 200 });
  if (listed.isErr()) throw new Error(listed.error.message);
  return listed.value.items;
}

async function boardOfApi(of: BenchEngine): Promise<ShownBoard> {
  const board = boardOf(cardsOf(await listedTasks(of)));
  return Object.fromEntries(
    Object.entries(board).map(([column, groups]) => [
      column,
      groups.map(({ cards }) => cards[0]?.attempt.id ?? ""),
    ]),
  );
}

/** How many boards are not as they should be; each may take a moment to get there. */
async function unlike(of: readonly BoardPage[], wanted: ShownBoard): Promise<number> {
  const text = JSON.stringify(wanted);
  const deadline = performance.now() + 60_000;
  for (;;) {
    const shown = await Promise.all(of.map((board) => board.shown()));
    const differ = shown.filter((each) => JSON.stringify(each) !== text).length;
    if (differ > 0 && performance.now() > deadline)
      console.log(
        `wanted ${text}\nfound ${shown.map((each) => JSON.stringify(each)).find((each) => each !== text)}`,
      );
    if (differ === 0 || performance.now() > deadline) return differ;
    await Bun.sleep(20);
  }
}

function ask(of: BenchEngine, path: string): Promise<Response> {
  return fetch(`${of.url}/api/v1${path}`, { headers: { authorization: `Bearer ${of.token}` } });
}

async function newestSeq(of: BenchEngine): Promise<number> {
  const answer = await ask(of, "/tasks?limit=1");
  await answer.text();
  return Number(answer.headers.get("tazuna-seq"));
}

/** The numbers of all facts after one and up to another, as the stream tells them to a new reader. */
async function seqsBetween(of: BenchEngine, after: number, upTo: number): Promise<readonly number[]> {
  const seqs: number[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of (await ask(of, `/events?after=${after}`)).body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const id = part.includes("event: fact") ? /^id: (\d+)$/m.exec(part)?.[1] : undefined;
      if (id !== undefined) seqs.push(Number(id));
    }
    if ((seqs.at(-1) ?? after) >= upTo) return seqs;
  }
  return seqs;
}

function missing(facts: readonly number[], seqs: Told["seqs"]): number {
  const came = new Set(seqs);
  return facts.filter((seq) => !came.has(seq)).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
