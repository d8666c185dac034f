/** Plays the first minute by keyboard, from an empty server to the end of the demo (design: flows, section 1). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS, type Look } from "../helpers/spoken.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** `npm test` walks the first of them. */
for (const [index, look] of LOOKS.entries()) {
  const title = `an empty server offers the demo, which ends merged and goes without a trace, ${look.in}${BROWSER.why}`;
  test.skipIf(BROWSER.missing)(index === 0 ? title : deep(title), () => walkFirstMinute(look));
}

async function walkFirstMinute(look: Look): Promise<void> {
  await using product = await startProduct();
  await using room = await openControlRoom(product, look);
  const { page, say } = room;
  const { keyboard } = page;
  await page.getByRole("button", { name: say.part("Start the demo") }).waitFor();
  expect(await page.locator(":focus").textContent()).toMatch(say.whole("Start the demo"));
  expect(await accessibilityFaults(page)).toEqual([]);
  await keyboard.press("Enter");
  const column = (name: string) => page.locator(`[data-column=${name}]`);
  await column("needs").getByText("Formal or casual greeting?").waitFor();
  if (look.isCut) await room.cut();
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepShot(page, `first-minute-question-${look.language}`);
  await keyboard.press("j");
  await keyboard.press("a");
  await keyboard.type("Formal");
  await keyboard.press("Control+Enter");
  await column("review").getByText(say.part("2 attempts to compare")).waitFor();
  await keyboard.press("Escape");
  await keyboard.press("4");
  await keyboard.press("a");
  await page.getByRole("region", { name: say.part("Attempts side by side") }).waitFor();
  await keyboard.press("2");
  await keyboard.press("w");
  await keyboard.type("It greets as we speak");
  await keyboard.press("Control+Enter");
  await page.getByText(say.part("B is chosen because")).waitFor();
  await keepShot(page, `first-minute-chosen-${look.language}`);
  await keyboard.press("S");
  await page.waitForURL(/\/ship$/);
  await page.getByRole("button", { name: say.whole("Merge") }).waitFor();
  await keepShot(page, `first-minute-ship-${look.language}`);
  await keyboard.press("M");
  await keyboard.press("M");
  await page.getByText(say.part("Merged into main")).first().waitFor();
  await keyboard.press("g");
  await keyboard.press("f");
  await page.getByText(say.part("That was the whole loop.")).waitFor();
  // The card that was left in Review has the focus, though it is done now.
  await column("done").locator("[data-card]:focus").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepShot(page, `first-minute-end-${look.language}`);
  await page.getByRole("button", { name: say.part("Remove the demo") }).press("Enter");
  await page.getByRole("button", { name: say.part("Start the demo") }).waitFor();
  expect(room.faults).toEqual([]);
}
