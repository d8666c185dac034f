/** Plays the first minute by keyboard, from an empty server to a recorded decision (design: flows, section 1). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  `an empty server offers the demo, and its question is answered in the card${BROWSER.why}`,
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByRole("button", { name: "Start the demo" }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Start the demo");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const needs = page.locator("[data-column=needs]");
    await needs.getByText("Formal or casual greeting?").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "first-minute-question");
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.keyboard.type("Formal");
    await page.keyboard.press("Control+Enter");
    const review = page.locator("[data-column=review]");
    await review.getByText("2 attempts to compare").waitFor();
    await keepShot(page, "first-minute-review");
    expect(room.faults).toEqual([]);
  },
);
