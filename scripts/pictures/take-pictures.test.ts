/** Takes the pictures of the README from the running product: `npm run pictures`. */
import { test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BROWSER, type ControlRoom, openControlRoom } from "../../test/helpers/browser.ts";
import { animate, type Frame } from "./animate.ts";
import { type BusyWorld, busyWorld } from "./busy-world.ts";

const FOLDER = join(import.meta.dir, "../../docs/images");
const COMPARED = "Resume a CSV import after a crash";
const REJECTED = "Seed data for the demo shop";
const WATCHED = "Limit password reset by account and IP";

test.skipIf(BROWSER.missing)(
  `pictures of every screen, and a moving one${BROWSER.why}`,
  async () => {
    await using world = await busyWorld();
    await mkdir(FOLDER, { recursive: true });
    for (const theme of ["light", "dark"] as const) {
      await using room = await openControlRoom(world.product, { theme });
      for (const [name, path] of screensOf(world)) await shoot(room, { name: `${name}-${theme}`, path });
    }
    await using phone = await openControlRoom(world.product, { phone: true });
    await shoot(phone, { name: "phone-light", path: "/?column=needs" });
    await using japanese = await openControlRoom(world.product, { language: "ja", theme: "dark" });
    await shoot(japanese, { name: "fleet-ja-dark", path: "/" });
    await using story = await openControlRoom(world.product, { size: { width: 1200, height: 750 } });
    await writeFile(join(FOLDER, "story.png"), animate(await play(story.page, world, story.url)));
  },
  600_000,
);

function screensOf(world: BusyWorld): readonly (readonly [name: string, path: string])[] {
  const attempt = (title: string) => `/attempts/${world.attempts(title)[0]}`;
  return [
    ["fleet", "/"],
    ["table", "/?view=table"],
    ["new-task", "/tasks/new"],
    ["attempt", attempt(WATCHED)],
    ["review", `${attempt(COMPARED)}/review`],
    ["compare", `/tasks/${world.taskOf(COMPARED)}`],
    ["ship", `${attempt(REJECTED)}/ship`],
    ["activity", "/activity"],
    ["storage", "/storage"],
    ["settings", "/settings"],
  ];
}

async function shoot(
  { page, url }: ControlRoom,
  of: { readonly name: string; readonly path: string },
): Promise<void> {
  await page.goto(url + of.path);
  await settled(page);
  await page.screenshot({ path: join(FOLDER, `${of.name}.png`) });
}

/** Nothing is loaded any more, and what is drawn has stood for a moment. */
async function settled(page: Page): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => true)");
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  await page.waitForTimeout(1_500);
}

/** Answers a question, compares three attempts, chooses one, and looks at what the gate stopped. */
async function play(page: Page, world: BusyWorld, url: string): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const keep = async (ms: number) => {
    await settled(page);
    frames.push({ png: await page.screenshot(), ms });
  };
  await page.goto(`${url}/`);
  await keep(1_800);
  await page.getByRole("textbox", { name: "Your answer" }).click();
  await page.keyboard.type("Formal, please: these are customers.");
  await keep(1_500);
  await page.keyboard.press("Control+Enter");
  await keep(1_500);
  await page.goto(`${url}/tasks/${world.taskOf(COMPARED)}`);
  await keep(2_200);
  await page.keyboard.press("2");
  await page.keyboard.press("w");
  await page.keyboard.type("Smallest change that passes; rows and offset commit together.");
  await keep(2_000);
  await page.keyboard.press("Control+Enter");
  await keep(1_800);
  await page.goto(`${url}/attempts/${world.attempts(REJECTED)[0]}/ship`);
  await keep(2_200);
  return frames;
}
