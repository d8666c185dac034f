/** Goes anywhere and acts by name, by keyboard alone (product: scene 9). */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { ATTEMPT_VERBS } from "../../web/src/features/attempts/attempt-verbs.ts";
import { PLACE_VERBS, WHOLE_VERBS } from "../../web/src/features/palette/verbs.ts";
import { accessibilityFaults, BROWSER, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
}

/** The verbs of the command line by which the open palette finds nothing. */
async function verbsNotFound(page: Page): Promise<readonly string[]> {
  const verbs = new Set(
    [ATTEMPT_VERBS, PLACE_VERBS, WHOLE_VERBS].flatMap((acts) => Object.values(acts).flat()),
  );
  const missing: string[] = [];
  for (const verb of verbs) {
    await page.getByRole("combobox").fill(verb);
    if ((await page.getByRole("option").count()) === 0) missing.push(verb);
  }
  return missing;
}

test.skipIf(BROWSER.missing)(
  deep(
    `the palette finds an attempt, acts on the one with the focus, and changes the language${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo done > note.txt");
    await ask(product, ["run", "Write a note", "--agent", "writer"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByText("Write a note").waitFor();
    await openPalette(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.type("# note");
    await page.getByRole("option", { name: "Write a note" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/attempts\//);
    await openPalette(page);
    const box = page.getByRole("combobox");
    await box.fill("@ note");
    await page.getByRole("option", { name: "note.txt" }).waitFor();
    expect(await verbsNotFound(page)).toEqual([]);
    await box.fill("> cancel");
    await page.getByRole("option", { name: "Cancel the attempt" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Cancelled; its files are in the trash").waitFor();
    await openPalette(page);
    await page.keyboard.type("日本");
    await page.keyboard.press("Enter");
    await page.locator("html[lang=ja]").waitFor();
    await page.goto(room.url);
    await page.getByRole("heading", { level: 1, name: "作業一覧" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(room.faults).toEqual([]);
  },
);
