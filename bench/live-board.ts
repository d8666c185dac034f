/** Measures one real browser on a board of 50 attempts: at rest, and while all of them work. */
import { type BoardPage, browserSeconds, emptyPage, launchBrowser, openBoard } from "./support/board-page.ts";
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
  const column = document.activeElement?.closest("[data-column]");
  const last = [...(column?.querySelectorAll("[data-card]") ?? [])].at(-1);
  const key = last === document.activeElement?.closest("[data-card]") ? "l" : "j";
  (document.activeElement ?? document).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const look = () => {
    if (document.activeElement !== before || performance.now() - began > 1000)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    else setTimeout(look);
  };
  look();
})`;

await using scratch = await makeScratch({ files: 20 });
const talk = (seconds: number) =>
  `while :; do echo "step $((n += 1)) of $TAZUNA_RUN"; sleep ${seconds}; done`;
await scratch.configure({
  agents: {
    quick: { executor: "command", command: [await scratch.script("quick", 'echo done > "$TAZUNA_RUN.txt"')] },
    calm: { executor: "command", command: [await scratch.script("calm", talk(5))] },
    talking: { executor: "command", command: [await scratch.script("talking", talk(1))] },
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
const calm = await begin("calm");
const working = await watch(board);
await end(calm);
const live = await begin("talking");
const talking = await watch(board);
const { painted, overtaken } = await board.told();
const keys = await presses(board);
const inOrder = painted.toSorted((one, other) => one - other);
const p95 = inOrder[Math.floor(inOrder.length * 0.95)] ?? Number.NaN;
await end(live);
await board.page.close();
const emptyOf = (changes: number) => emptyPage(browser, { changes, ms: WATCH_MS });
const empty = [await emptyOf(working.frames), await emptyOf(talking.frames)] as const;

printTable(
  `a board of ${ATTEMPTS} attempts`,
  ["", "at rest", "an action each 5 s", "each second", "must"],
  [
    [
      "processor of the page, % of a core",
      percent(resting.pages),
      percent(working.pages),
      percent(talking.pages),
      "1, 5",
    ],
    [
      "the same as a ratio to an empty page with as many frames",
      "",
      (working.pages / empty[0]).toFixed(2),
      (talking.pages / empty[1]).toFixed(2),
      "",
    ],
    [
      "processor of the browser, % of a core",
      percent(resting.all),
      percent(working.all),
      percent(talking.all),
      "",
    ],
    ["frames a second", ...[resting, working, talking].map(({ frames }) => frames.toFixed(1)), ""],
    [
      "timers under a second, a second",
      ...[resting, working, talking].map(({ timers }) => timers.toFixed(1)),
      "0 at rest",
    ],
    ["nodes", ...[resting, working, talking].map(({ nodes }) => String(nodes)), "1500"],
    [
      "live action to pixels, median and 95th percentile ms",
      "",
      "",
      `${median(painted).toFixed(1)}, ${p95.toFixed(1)}`,
      "50",
    ],
    ["painted, out of sight or overtaken", "", "", `${painted.length}, ${overtaken}`, ""],
    [
      "key to response, median and longest ms",
      "",
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
  talking_cpu_percent: talking.pages * 100,
  talking_ratio: talking.pages / empty[1],
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
  readonly frames: number;
  readonly nodes: number;
}

/** Half as many tasks of two attempts each, all at work. */
async function begin(agent: string): Promise<readonly string[]> {
  const { length } = (await board.told()).painted;
  const tasks: string[] = [];
  for (let task = 0; task < ATTEMPTS / 2; task++)
    tasks.push((await engine.createTask([agent, agent])).task.id);
  await cardsShown(board, "working");
  await until("agents to say something", async () => (await board.told()).painted.length >= length + 20);
  return tasks;
}

async function end(tasks: readonly string[]): Promise<void> {
  for (const id of tasks) {
    await engine.client.cancel({ type: "task", id });
    await engine.ended(id);
  }
}

async function watch({ page, told }: BoardPage): Promise<Watched> {
  await Bun.sleep(3_000);
  const [before, toldBefore, began] = [await browserSeconds(browser), await told(), performance.now()];
  await Bun.sleep(WATCH_MS);
  const [after, toldAfter, seconds] = [
    await browserSeconds(browser),
    await told(),
    (performance.now() - began) / 1000,
  ];
  return {
    pages: (after.pages - before.pages) / seconds,
    all: (after.all - before.all) / seconds,
    timers: (toldAfter.shortTimers - toldBefore.shortTimers) / seconds,
    frames: (toldAfter.frames - toldBefore.frames) / seconds,
    nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
  };
}

/** The heading of a column counts its cards, also those that are out of sight. */
async function cardsShown({ page }: BoardPage, column: string): Promise<void> {
  const heading = page
    .locator(`[data-column=${column}] header`)
    .getByText(String(ATTEMPTS / 2), { exact: true });
  await heading.waitFor();
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
