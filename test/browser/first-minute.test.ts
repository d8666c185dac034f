/** Plays the first minute by keyboard, from an empty server to the end of the demo (design: flows, section 1). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  `an empty server offers the demo, which ends merged and goes without a trace${BROWSER.why}`,
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product);
    const { page } = room;
    const { keyboard } = page;
    await page.getByRole("button", { name: "Start the demo" }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Start the demo");
    expect(await accessibilityFaults(page)).toEqual([]);
    await keyboard.press("Enter");
    const column = (name: string) => page.locator(`[data-column=${name}]`);
    await column("needs").getByText("Formal or casual greeting?").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "first-minute-question");
    await keyboard.press("j");
    await keyboard.press("a");
    await keyboard.type("Formal");
    await keyboard.press("Control+Enter");
    await column("review").getByText("2 attempts to compare").waitFor();
    await keyboard.press("Escape");
    await keyboard.press("4");
    await keyboard.press("a");
    await page.getByRole("region", { name: "Attempts side by side" }).waitFor();
    await keyboard.press("2");
    await keyboard.press("w");
    await keyboard.type("It greets as we speak");
    await keyboard.press("Control+Enter");
    await page.getByText("is chosen because").waitFor();
    await keepShot(page, "first-minute-chosen");
    await keyboard.press("S");
    await page.waitForURL(/\/ship$/);
    await page.getByRole("button", { name: "Merge", exact: true }).waitFor();
    await keepShot(page, "first-minute-ship");
    await keyboard.press("M");
    await keyboard.press("M");
    await page
      .getByText(/Merged/)
      .first()
      .waitFor();
    await keyboard.press("g");
    await keyboard.press("f");
    await page.getByText("That was the whole loop.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "first-minute-end");
    await page.getByRole("button", { name: "Remove the demo" }).press("Enter");
    await page.getByRole("button", { name: "Start the demo" }).waitFor();
    expect(room.faults).toEqual([]);
  },
);
