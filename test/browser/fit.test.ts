/** Measures every screen with long words: in low and narrow windows, with a large zoom, for fingers, and by Tab. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { askingAgent } from "../helpers/asking-agent.ts";
import {
  accessibilityFaults,
  BROWSER,
  type ControlRoom,
  keepShot,
  openControlRoom,
  settled,
} from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import {
  badRings,
  outOfReach,
  overrunWords,
  smallTargets,
  squeezedSigns,
  wideTables,
} from "../helpers/page-fit.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const LONG = "rechnungspruefungsautomatisierungsagent";
const FOLDER = "sehr-langer-ordnername-fuer-die-pruefung/".repeat(5);
const TITLE = "Kapitaensmuetzen und Rechnungsstellungsautomatisierung ".repeat(4).trim().slice(0, 190);
const BRANCH = `feature/${"ein-sehr-langer-zweigname-".repeat(4)}ende`;

type Screens = readonly (readonly [name: string, path: string])[];

/** Three attempts whose title, base, path, agent and check are as long as they come, and a command that is asked for. */
async function begin(product: Product): Promise<Screens> {
  await product.configure({
    checks: [{ name: "rechnungsstellungsautomatisierungspruefung-lint", run: "true" }],
  });
  await askingAgent(product);
  await product.agent(LONG, `mkdir -p ${FOLDER}; echo x > ${FOLDER}kapitaensmuetze.ts; echo 'Fertig.'`);
  await product.agent("quick", "echo y > y; echo Done.");
  await product.sandbox.git(product.repository, ["branch", BRANCH]);
  await product.sandbox.git(product.repository, ["push", "-q", "origin", BRANCH]);
  const { document, attempts } = await ask(product, [
    ...["run", "Umsetzen", "--title", TITLE, "--base", BRANCH],
    ...["--agent", LONG, "--agent", "quick", "--agent", "quick"],
  ]);
  const asking = await ask(product, ["run", `ask npm install ${"left-pad ".repeat(20)}`, "--agent", "agent"]);
  const [long] = attempts.map(({ id }) => id);
  return [
    ["fleet", "/"],
    ["table", "/?view=table"],
    ["new task", "/tasks/new"],
    ["compare", `/tasks/${document.task.id}`],
    ["attempt", `/attempts/${long}`],
    ["changes", `/attempts/${long}?tab=changes`],
    ["asking", `/attempts/${asking.attempts[0]?.id}`],
    ["review", `/attempts/${long}/review`],
    ["ship", `/attempts/${long}/ship`],
    ["activity", "/activity"],
    ["storage", "/storage"],
    ["settings", "/settings"],
  ];
}

/** What a page has and a test has not. */
interface Styles {
  getComputedStyle(of: unknown): { readonly outlineStyle: string };
}

type Measure = (page: Page, screen: string) => Promise<readonly string[]>;

async function measured(room: ControlRoom, screens: Screens, name: string, measure: Measure) {
  const found: string[] = [];
  for (const [screen, path] of screens) {
    await room.page.goto(room.url + path);
    await settled(room.page);
    const late = screen === "table" ? "tr[data-card]" : screen === "new task" ? "[data-stepper]" : "main";
    await room.page.locator(late).first().waitFor();
    // It comes with the preview, after the rest of the form.
    if (screen === "new task") await room.page.getByRole("button", { name: "Fetch", exact: true }).waitFor();
    await keepShot(room.page, `fit-${name}-${screen}`);
    found.push(...(await measure(room.page, screen)).map((fault) => `${name} ${screen}: ${fault}`));
  }
  return found;
}

const words: Measure = async (page) => [
  ...(await overrunWords(page)),
  ...(await squeezedSigns(page)),
  // Narrower than the smallest tablet, a table moves sideways.
  ...((await page.evaluate("innerWidth >= 640")) ? await wideTables(page) : []),
];

/** The parts of a screen come one after the other. That is no person who leaves the end of the timeline. */
const leftEnd = async (page: Page): Promise<readonly string[]> =>
  (await page.getByRole("button", { name: /^Following/ }).count()) > 0 ? [] : ["follows no more"];

test.skipIf(BROWSER.missing)(
  deep(`long words run over nothing, and a low or narrow window hides no control${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const screens = await begin(product);
    const found: string[] = [];
    // The last two are windows of 1280 px, zoomed to 200 % and to 400 %.
    for (const [width, height] of [
      [1920, 1080],
      [1280, 720],
      [1024, 768],
      [640, 400],
      [320, 256],
    ] as const) {
      await using room = await openControlRoom(product, { size: { width, height } });
      found.push(
        ...(await measured(room, screens, `${width}`, async (page, screen) => [
          ...(await words(page, screen)),
          ...(screen === "asking" ? await leftEnd(page) : []),
          ...(await outOfReach(page)).map((name) => `${name} is out of reach`),
        ])),
      );
    }
    expect(found).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`every target is large enough for a finger, and every stop of Tab shows its ring${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const screens = await begin(product);
    await using phone = await openControlRoom(product, { phone: true });
    const small = await measured(phone, screens, "phone", smallTargets);
    await using desk = await openControlRoom(product, { size: { width: 1280, height: 720 }, theme: "dark" });
    const rings = await measured(desk, screens, "ring", (page) => badRings(page, 45));
    expect([...small, ...rings]).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`words that are cut are told whole, and colours that are forced hide no choice${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const screens = new Map(await begin(product));
    await using room = await openControlRoom(product, { path: screens.get("attempt") ?? "" });
    const { page } = room;
    await settled(page);
    const hint = page.locator("[data-hint-words]");
    await page.getByRole("heading", { level: 1 }).hover();
    await hint.getByText(TITLE).waitFor();
    await page.mouse.move(1, 1);
    await hint.waitFor({ state: "detached" });
    const files = page.getByRole("list", { name: "Changed files" });
    await page.keyboard.press("Tab");
    await files.getByRole("button").first().focus();
    await hint.getByText(FOLDER).waitFor();

    await page.emulateMedia({ forcedColors: "active" });
    const outline = (place: Locator) =>
      place.evaluate((each) => (globalThis as unknown as Styles).getComputedStyle(each).outlineStyle);
    const views = page.getByRole("group", { name: "What the timeline shows" }).getByRole("button");
    expect(await outline(views.nth(0))).toBe("solid");
    expect(await outline(views.nth(1))).toBe("none");
    await page.goto(room.url + screens.get("storage"));
    await settled(page);
    expect(await outline(page.getByRole("link", { name: "Storage" }))).toBe("solid");
    expect(await accessibilityFaults(page)).toEqual([]);
  },
);
