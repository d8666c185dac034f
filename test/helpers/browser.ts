/** Opens the control room of a product in a real browser, signed in, and says what is wrong on a page. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Need } from "./need.ts";
import type { Product } from "./product.ts";
import { type Spoken, spoken } from "./spoken.ts";
import { waitFor } from "./wait-for.ts";

const ROOT = join(import.meta.dir, "../..");
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const program = process.env.TAZUNA_TEST_BROWSER ?? PLACES.find((place) => existsSync(place));
const isBuilt = existsSync(join(ROOT, "dist/web/index.html"));

/** A browser and the built web UI. */
export const BROWSER: Need = {
  missing: program === undefined || !isBuilt,
  why:
    program === undefined
      ? " (skipped: there is no Chromium)"
      : isBuilt
        ? ""
        : " (skipped: the web UI is not built)",
};

/** Kept by CI if `TAZUNA_TEST_SCREENSHOTS` names a folder. */
const SHOTS = process.env.TAZUNA_TEST_SCREENSHOTS ?? null;

/** Real agents and other tests work beside the browser. */
const WAIT_MS = 200_000;

/** Without the sandbox of Chromium, since tests may run as root; without its own talk to the network. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface ControlRoom extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  /** Another tab of the same browser. */
  tab(): Promise<Page>;
  /** The words of the screens in the language of the browser. */
  readonly say: Spoken;
  /** Kills the server, and starts it again at the same address. Agents go on. */
  cut(): Promise<void>;
  /** Messages of errors that the pages wrote, and requests that left the server. */
  readonly faults: string[];
}

export interface RoomOptions {
  readonly language?: "en" | "ja";
  readonly theme?: "light" | "dark";
  readonly size?: { readonly width: number; readonly height: number };
  /** A small touch screen. */
  readonly phone?: boolean;
  readonly path?: string;
}

/** Starts the product's server, if none runs, and signs a fresh browser in. */
export async function openControlRoom(product: Product, options: RoomOptions = {}): Promise<ControlRoom> {
  const url = await serverOf(product);
  const browser = await launch();
  const context = await browser.newContext(contextOf(options));
  context.setDefaultTimeout(WAIT_MS);
  const faults: string[] = [];
  let wasCut = false;
  const watch = (page: Page) => {
    page.on("console", (message) => {
      const isOfCut = wasCut && message.text().includes("net::ERR_");
      if (message.type() === "error" && !isOfCut) faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("response", (response) => {
      if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) faults.push(request.url());
    });
    return page;
  };
  const page = watch(await context.newPage());
  await page.goto(await linkOf(product));
  if (options.path !== undefined) await page.goto(url + options.path);
  return {
    page,
    url,
    faults,
    tab: async () => watch(await context.newPage()),
    say: spoken(options.language ?? "en"),
    cut: async () => {
      wasCut = true;
      await product.killEngine();
      product.start(["serve", "--port", new URL(url).port]);
      await waitFor("the server", async () => (await product.enginePid()) !== null);
    },
    [Symbol.asyncDispose]: async () => {
      // A request that a test still answers would fail without its page, in the middle of the next test.
      await context.unrouteAll({ behavior: "ignoreErrors" });
      await Promise.all(context.pages().map((open) => open.unrouteAll({ behavior: "ignoreErrors" })));
      await browser.close();
    },
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: program ?? "", args: ARGUMENTS });
}

function contextOf({
  language = "en",
  theme = "light",
  size,
  phone = false,
}: RoomOptions): BrowserContextOptions {
  return {
    locale: language === "ja" ? "ja-JP" : "en-GB",
    colorScheme: theme,
    reducedMotion: "reduce",
    viewport: size ?? (phone ? { width: 390, height: 844 } : { width: 1440, height: 900 }),
    ...(phone ? { hasTouch: true, isMobile: true } : {}),
  };
}

async function serverOf(product: Product): Promise<string> {
  if ((await product.enginePid()) === null) await product.tazuna(["engine", "restart"]);
  const file = Bun.file(join(product.home, "server.json"));
  await waitFor("the address of the server", () => file.exists());
  return ((await file.json()) as { readonly url: string }).url;
}

/** A fresh link that signs in once. */
async function linkOf(product: Product): Promise<string> {
  const { url, token } = await Bun.file(join(product.home, "server.json")).json();
  const answer = await fetch(`${url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  return ((await answer.json()) as { readonly url: string }).url;
}

/** Waits until the screen has its heading and loads nothing any more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate("document.fonts.ready.then(() => true)");
  // Several parts of a screen may load at once.
  const loading = page.locator("[aria-busy=true]");
  await waitFor("all parts of the screen", async () => (await loading.count()) === 0);
  await page
    .getByText(/^(Loading…|読み込み中…)$/)
    .first()
    .waitFor({ state: "detached" });
}

/** What a check of accessibility finds on the page as it is, a line each. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

/** Keeps a picture of the page, if pictures are wanted. */
export async function keepShot(page: Page, name: string): Promise<void> {
  if (SHOTS === null) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
