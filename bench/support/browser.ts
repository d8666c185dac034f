/** Opens a page of an engine in a real browser, signed in, and measures its frames and its memory. */
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import type { BenchEngine } from "./engine.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PROGRAM = process.env.TAZUNA_TEST_BROWSER ?? PLACES.find((place) => existsSync(place));

export interface BenchPage extends AsyncDisposable {
  readonly page: Page;
  /** Begins to measure anew; gives what was measured until then. */
  lap(): Promise<Lap>;
}

export interface Lap {
  /** The longest task of the page's own thread, in milliseconds; a frame cannot be drawn meanwhile. */
  readonly longestTask: number;
  readonly tasksOver50: number;
  /** The most bytes that its heap used, garbage included. */
  readonly heapPeak: number;
  readonly heapNow: number;
  readonly nodes: number;
}

const SAMPLE_MS = 200;

export async function openPage(engine: BenchEngine, path: string): Promise<BenchPage> {
  const browser = await chromium.launch({
    executablePath: PROGRAM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchTasks);
  const link = await engine.client.link({});
  if (link.isErr()) throw new Error(link.error.message);
  await page.goto(link.value.url);
  await page.goto(engine.url + path);
  const tools = await context.newCDPSession(page);
  let heapPeak = 0;
  const heap = async () => {
    const { usedSize } = await tools.send("Runtime.getHeapUsage");
    heapPeak = Math.max(heapPeak, usedSize);
  };
  const timer = setInterval(() => void heap().catch(() => undefined), SAMPLE_MS);
  return {
    page,
    lap: async () => {
      await heap();
      const peak = heapPeak;
      const tasks = (await page.evaluate("window.takeTasks()")) as readonly number[];
      await tools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await tools.send("Runtime.getHeapUsage");
      // The collection that was asked for here is a task of its own, and none of the page's work.
      await page.evaluate("window.takeTasks()");
      const nodes = await page.evaluate("document.querySelectorAll('*').length");
      heapPeak = 0;
      return {
        longestTask: Math.max(0, ...tasks),
        tasksOver50: tasks.length,
        heapPeak: peak,
        heapNow: usedSize,
        nodes: Number(nodes),
      };
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await browser.close();
    },
  };
}

/** Runs in the page. The browser tells of every task over 50 ms. */
const watchTasks = `
  let tasks = [];
  const note = (entries) => tasks.push(...entries.map((entry) => entry.duration));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ["longtask"] });
  window.takeTasks = async () => {
    // The browser tells of a task after it has ended.
    await new Promise((resolve) => setTimeout(resolve, 100));
    note(observer.takeRecords());
    const taken = tasks;
    tasks = [];
    return taken;
  };
`;
