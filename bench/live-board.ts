/** Measures one real browser on a board of 50 attempts: at rest, and while all of them work. */
import { type BoardPage, browserSeconds, launchBrowser, openBoard } from "./support/board-page.ts";
import { startEngine } from "./support/engine.ts";
import { printSummary, printTable } from "./support/report.ts";
import { median } from "./support/rounds.ts";
import { makeScratch } from "./support/scratch.ts";
import { until } from "./support/until.ts";

const ATTEMPTS = 50;
const WATCH_MS = 20_000;
const PRESSES = 40;
const PRESS = `new Promise((resolve) => {
  const before = document.activeElement;
  const began = performance.now();
  const key = document.activeElement?.closest("li")?.nextElementSibling ? "j" : "l";
  (document.activeElement ?? document).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const look = () => {
    if (document.activeElement !== before || performance.now() - began > 1000)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    else setTimeout(look);
  };
  look();
})`;

await using scratch = await makeScratch({ files: 20 });
const talk = 'while :; do echo "step $((n += 1)) of $TAZUNA_RUN"; sleep 1; done';
await scratch.configure({
  agents: {
    quick: { executor: "command", command: [await scratch.script("quick", 'echo done > "$TAZUNA_RUN.txt"')] },
    talking: { executor: "command", command: [await scratch.script("talking", talk)] },
  },
  limits: { parallel: ATTEMPTS, per_repository: ATTEMPTS, per_login: ATTEMPTS, stall_s: 86_400 },
});
await using engine = await startEngine(scratch);
await using browser = await launchBrowser();
for (let task = 0; task < ATTEMPTS / 2; task++)
  await engine.ended((await engine.createTask(["quick", "quick"])).task.id);
const board = await openBoard(browser, engine);
await cardsShown(board, "review");
const resting = await watch(board);
const live = [];
for (let task = 0; task < ATTEMPTS / 2; task++) live.push(await engine.createTask(["talking", "talking"]));
await cardsShown(board, "working");
await until("every agent to say something", async () => (await board.told()).painted.length >= ATTEMPTS);
const working = await watch(board);
const keys = await presses(board);
const { painted, overtaken } = await board.told();
const inOrder = painted.toSorted((one, other) => one - other);
const p95 = inOrder[Math.floor(inOrder.length * 0.95)] ?? Number.NaN;
for (const { task } of live) await engine.client.cancel({ type: "task", id: task.id });

printTable(
  `a board of ${ATTEMPTS} attempts`,
  ["", "at rest", "all of them work", "must"],
  [
    ["processor of the page, % of a core", percent(resting.pages), percent(working.pages), "1, 5"],
    ["processor of the browser, % of a core", percent(resting.all), percent(working.all), ""],
    ["timers under a second, a second", resting.timers.toFixed(1), working.timers.toFixed(1), "0"],
    ["nodes", String(resting.nodes), String(working.nodes), "1500"],
    [
      "live action to pixels, median and 95th percentile ms",
      "",
      `${median(painted).toFixed(1)}, ${p95.toFixed(1)}`,
      "50",
    ],
    ["painted, overtaken", "", `${painted.length}, ${overtaken}`, ""],
    [
      "key to response, median and longest ms",
      "",
      `${median(keys).toFixed(1)}, ${Math.max(...keys).toFixed(1)}`,
      "50",
    ],
  ],
);
printSummary("live-board", {
  rest_cpu_percent: resting.pages * 100,
  rest_timers: resting.timers,
  cpu_percent: working.pages * 100,
  nodes: Math.max(resting.nodes, working.nodes),
  pixels_ms: median(painted),
  pixels_p95_ms: p95,
  key_ms: median(keys),
  must: "rest_cpu<1,rest_timers=0,cpu<=5,nodes<=1500,pixels<=50,key<=50",
});

interface Watched {
  /** Shares of a core. */
  readonly pages: number;
  readonly all: number;
  /** In a second. */
  readonly timers: number;
  readonly nodes: number;
}

async function watch({ page, told }: BoardPage): Promise<Watched> {
  await Bun.sleep(3_000);
  const [before, timers, began] = [
    await browserSeconds(browser),
    (await told()).shortTimers,
    performance.now(),
  ];
  await Bun.sleep(WATCH_MS);
  const [after, timersAfter, seconds] = [
    await browserSeconds(browser),
    (await told()).shortTimers,
    (performance.now() - began) / 1000,
  ];
  return {
    pages: (after.pages - before.pages) / seconds,
    all: (after.all - before.all) / seconds,
    timers: (timersAfter - timers) / seconds,
    nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
  };
}

async function cardsShown({ shown }: BoardPage, column: string): Promise<void> {
  await until(`the column ${column}`, async () => (await shown())[column]?.length === ATTEMPTS / 2, {
    everyMs: 100,
  });
}

/** From the press of a key until the next card has the focus and is painted. */
async function presses({ page }: BoardPage): Promise<readonly number[]> {
  const took: number[] = [];
  for (let press = 0; press < PRESSES; press++) took.push(await page.evaluate<number>(PRESS));
  return took;
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}
