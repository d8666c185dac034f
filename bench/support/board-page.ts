/** Opens boards of an engine in contexts of one real browser, each a person of its own, and reads what they show. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import type { BenchEngine } from "./engine.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PROGRAM = process.env.TAZUNA_TEST_BROWSER ?? PLACES.find((place) => existsSync(place));

/** The attempts that lead the cards of each column, from above. */
export type ShownBoard = Readonly<Record<string, readonly string[]>>;

export interface BoardPage {
  readonly page: Page;
  shown(): Promise<ShownBoard>;
  told(): Promise<Told>;
}

export interface Told {
  /** The numbers of the facts that came to the page. */
  readonly seqs: readonly number[];
  /** How often the stream broke off after it was open. */
  readonly breaks: number;
  /** Milliseconds from the arrival of a live action until it was painted. */
  readonly painted: readonly number[];
  /** Live actions after which the next one of the run came before they were painted. */
  readonly overtaken: number;
  /** Calls for a timer of less than a second that may fire. */
  readonly shortTimers: number;
  /** Frames in which something of the page was another than before. */
  readonly frames: number;
}

export function launchBrowser(): Promise<Browser> {
  if (PROGRAM === undefined) throw new Error("there is no Chromium; TAZUNA_TEST_BROWSER may name one");
  return chromium.launch({
    executablePath: PROGRAM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
}

/** A fresh context, signed in by a link of its own, with the board open. A long column draws what is in sight. */
export async function openBoard(
  browser: Browser,
  engine: BenchEngine,
  { height = 900 }: { readonly height?: number } = {},
): Promise<BoardPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const link = await engine.client.link({});
  if (link.isErr()) throw new Error(link.error.message);
  await page.goto(link.value.url);
  await page.getByText("Live", { exact: true }).waitFor();
  page.on("framenavigated", () => console.log("a page was loaded anew"));
  page.on("response", (answer) => {
    if (answer.status() >= 400) console.log(`${answer.status()} ${answer.url()}`);
  });
  return {
    page,
    shown: () => page.evaluate<ShownBoard>(SHOWN),
    told: () => page.evaluate<Told>("window.told()"),
  };
}

/** Processor seconds of the browser's processes so far: of those that draw pages, and of all. */
export async function browserSeconds(
  browser: Browser,
): Promise<{ readonly pages: number; readonly all: number }> {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo");
  await tools.detach();
  const sum = (type: string | null) =>
    processInfo
      .filter((each) => type === null || each.type === type)
      .reduce((seconds, { cpuTime }) => seconds + cpuTime, 0);
  return { pages: sum("renderer"), all: sum(null) };
}

export async function browserPids(browser: Browser): Promise<readonly number[]> {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo");
  await tools.detach();
  return processInfo.map(({ id }) => id);
}

/** The share of a core that a page takes which holds one line, and changes it so many times a second. */
export async function emptyPage(
  browser: Browser,
  { changes, ms }: { readonly changes: number; readonly ms: number },
): Promise<number> {
  const page = await browser.newPage();
  await page.setContent("<code>0</code>");
  await page.evaluate(
    `{ let n = 0; setInterval(() => (document.querySelector("code").textContent = String((n += 1))), ${1000 / changes}); }`,
  );
  await Bun.sleep(2_000);
  const [before, began] = [await browserSeconds(browser), performance.now()];
  await Bun.sleep(ms);
  const seconds = (performance.now() - began) / 1000;
  const share = ((await browserSeconds(browser)).pages - before.pages) / seconds;
  await page.close();
  return share;
}

const SHOWN = `Object.fromEntries([...document.querySelectorAll("[data-column]")].map((column) => [
  column.dataset.column,
  [...column.querySelectorAll("[data-card]")].map((card) => card.dataset.card),
]))`;

/** Runs in the page before its own code: listens to the messages of the shared worker, to what is painted, to timers. */
const WATCH = `
  const seqs = [];
  const painted = [];
  const awaited = new Map();
  let breaks = 0;
  let overtaken = 0;
  let isOpen = false;
  const take = ({ kind, fact }) => {
    if (kind === "open") isOpen = true;
    if (isOpen && (kind === "down" || kind === "reset" || kind === "refused")) breaks += 1;
    if (kind !== "fact") return;
    seqs.push(fact.seq);
    if (fact.kind !== "run.action") return;
    if (awaited.has(fact.run)) overtaken += 1;
    awaited.set(fact.run, { title: fact.data.title, at: performance.now() });
  };
  const port = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    ...port,
    set(handler) {
      port.set.call(this, (event) => {
        if (typeof event.data === "object" && event.data !== null) take(event.data);
        handler.call(this, event);
      });
    },
  });
  let frames = 0;
  let isFrameAwaited = false;
  new MutationObserver(() => {
    if (!isFrameAwaited) requestAnimationFrame(() => {
      frames += 1;
      isFrameAwaited = false;
    });
    isFrameAwaited = true;
    if (awaited.size === 0) return;
    const shown = new Set([...document.querySelectorAll("[data-card] code")].map((code) => code.textContent));
    for (const [run, { title, at }] of awaited) {
      if (!shown.has(title)) continue;
      awaited.delete(run);
      requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - at)));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  let shortTimers = 0;
  for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name];
    window[name] = (act, ms = 0, ...rest) => {
      if (ms < 1000) shortTimers += 1;
      return real(act, ms, ...rest);
    };
  }
  window.told = () => ({ seqs, breaks, painted, overtaken, shortTimers, frames });
`;
