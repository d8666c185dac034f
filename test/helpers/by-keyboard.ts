/** Moves through a page as a person without a mouse does. */
import type { Locator, Page } from "playwright-core";

/** More stops than any screen of a test has. */
const MOST_STOPS = 150;

/** Presses Tab, or another key, until the element has the focus. */
export async function tabTo(page: Page, element: Locator, key = "Tab"): Promise<void> {
  await element.waitFor();
  const focused = element.and(page.locator(":focus"));
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches ${element}`);
}

/** Opens the menu of the button that has the focus, and chooses an item by the arrows. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await tabTo(page, page.getByRole("menuitem", { name }), "ArrowDown");
  await page.keyboard.press("Enter");
}

/** Types as with a Japanese keyboard: `kana` while they are converted, then the words that they become. */
export async function convert(page: Page, kana: readonly string[], words: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const text of kana)
    await session.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await session.send("Input.insertText", { text: words });
  await session.detach();
}
