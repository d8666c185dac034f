/** Measures the diff view in a real browser: 5,000 changed files, a diff of 50 MB, and one file of 50 MB. */
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { FIRST_LINE_AFTER_KEY, LOAD_ANYWAY, SCROLL } from "./support/in-page.ts";
import { printSummary, printTable } from "./support/report.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";

const FILES = 5_000;
const ROUNDS = 5;
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browserPath = process.env.TAZUNA_TEST_BROWSER ?? BROWSERS.find((path) => existsSync(path));
if (browserPath === undefined) throw new Error("there is no Chromium; TAZUNA_TEST_BROWSER may name one");

/** Each agent makes another kind of diff. */
const AGENTS = {
  many: "git ls-files -z | xargs -0 sh -c 'for file; do echo one more line >> \"$file\"; done' sh",
  wide: `git ls-files -z | xargs -0 sh -c 'for file; do yes "export const value = compute(some, words);" | head -240 >> "$file"; done' sh`,
  long: 'yes "a line of fifty characters, again and again, ok." | head -1000000 > long.txt',
};

await using scratch = await makeScratch({ files: FILES });
await configure(scratch);
await using engine = await startEngine(scratch);
await using browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});
const rows: string[][] = [];
const summary: Record<string, number> = {};
for (const name of ["many", "wide"] as const) {
  const attempt = await attemptOf(engine, name);
  const measured = [];
  for (let round = 0; round < ROUNDS; round += 1) measured.push(await look(attempt));
  for (const key of ["empty", "cold", "warm", "nodes", "longest", "scrolled", "heap"] as const) {
    summary[`${name}_${key}`] = median(measured.map((each) => each[key]));
    rows.push([name, key, String(summary[`${name}_${key}`])]);
  }
}
const long = await lookAtLong(await attemptOf(engine, "long"));
for (const [key, value] of Object.entries(long)) {
  summary[`long_${key}`] = value;
  rows.push(["long", key, String(value)]);
}
printTable(`the diff view, ${ROUNDS} rounds (ms, nodes, MB)`, ["", "", "median"], rows);
printSummary("diff-view", summary);

async function configure(of: Scratch): Promise<void> {
  const agents: Record<string, object> = {};
  for (const [name, text] of Object.entries(AGENTS))
    agents[name] = { executor: "command", command: [await of.script(name, text)] };
  await of.configure({ agents, gate: { max_file_mib: 100 }, publish: "hold" });
}

async function attemptOf(of: BenchEngine, agent: keyof typeof AGENTS): Promise<string> {
  const { attempts } = await of.ended((await of.createTask([agent])).task.id);
  const [attempt] = attempts;
  if (attempt === undefined) throw new Error("the task has no attempt");
  const { additions } = attempt.changes ?? { additions: 0 };
  console.log(`${agent}: ${attempt.changes?.files} files, ${additions} lines, ${attempt.runs[0]?.outcome}`);
  return attempt.id;
}

interface Look {
  /** Another screen, until its heading is there: what the machine and the shell alone need. */
  readonly empty: number;
  /** A fresh browser profile, until the first line is there. */
  readonly cold: number;
  /** From the attempt's screen by a key, until the first line is there. */
  readonly warm: number;
  readonly nodes: number;
  /** The longest task while 100 screens are scrolled. */
  readonly longest: number;
  /** From the last turn of the wheel until the lines there are shown. */
  readonly scrolled: number;
  readonly heap: number;
}

async function look(attempt: string): Promise<Look> {
  const page = await signedIn();
  try {
    const empty = await timed(page, "/settings", "h1");
    const cold = await timed(page, `/attempts/${attempt}/review`, ".diff [data-row]");
    await page.goto(`${engine.url}/attempts/${attempt}`);
    await page.locator("h1").waitFor();
    await page.waitForTimeout(3_000);
    const warm = await page.evaluate(FIRST_LINE_AFTER_KEY);
    await page.waitForTimeout(1_500);
    const nodes = await page.evaluate("document.querySelectorAll('*').length");
    const { longest, scrolled } = await page.evaluate<Pick<Look, "longest" | "scrolled">>(SCROLL);
    const most = Math.max(nodes as number, await page.evaluate("document.querySelectorAll('*').length"));
    const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize / 1e6");
    return { empty, cold, warm: Number(warm), nodes: most, longest, scrolled, heap: Math.round(heap) };
  } finally {
    await page.context().close();
  }
}

/** The file is folded; a person asks for it anyway. */
async function lookAtLong(attempt: string): Promise<Record<string, number>> {
  const page = await signedIn();
  await page.goto(`${engine.url}/attempts/${attempt}/review`);
  const button = page.getByRole("button", { name: "Load anyway" });
  await button.waitFor();
  const nodesBefore = await page.evaluate<number>("document.querySelectorAll('*').length");
  const loaded = page.evaluate<{ readonly took: number; readonly longest: number }>(LOAD_ANYWAY);
  const { took, longest } = await loaded;
  const scroll = await page.evaluate<Pick<Look, "longest" | "scrolled">>(SCROLL);
  const nodes = await page.evaluate<number>("document.querySelectorAll('*').length");
  const heap = Math.round(await page.evaluate<number>("performance.memory.usedJSHeapSize / 1e6"));
  await page.context().close();
  return { nodesBefore, took, longest, scrollLongest: scroll.longest, nodes, heap };
}

async function signedIn(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const link = await engine.client.link({});
  if (link.isErr()) throw new Error(link.error.message);
  await page.goto(link.value.url);
  await page.locator("h1").waitFor();
  return page;
}

async function timed(page: Page, path: string, selector: string): Promise<number> {
  const began = performance.now();
  await page.goto(engine.url + path, { waitUntil: "commit" });
  await page.locator(selector).first().waitFor();
  return Math.round(performance.now() - began);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
