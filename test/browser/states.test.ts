/** Draws every state of the board (design: states, shapes, columns): each card has its sign, and its words in its column. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { presentCard } from "../../src/contract/words/present-card.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { EVERY_STATE } from "../helpers/every-state.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** `SIGN COLUMN: TITLE` of every card that is drawn. */
const DRAWN = `[...document.querySelectorAll("[data-column]")].flatMap((column) =>
  [...column.querySelectorAll("[data-card]")].map((card) =>
    card.querySelector("svg[data-sign]")?.dataset.sign + " " + column.dataset.column + ": " +
      card.querySelector("bdi")?.textContent))`;

const EXPECTED = EVERY_STATE.flatMap((task) =>
  task.attempts.map((attempt) => {
    const { sign, column } = presentCard(attempt, task, Date.now());
    return `${sign} ${column}: ${task.title}`;
  }),
);

test.skipIf(BROWSER.missing)(
  deep(`every state has its sign, its words and its column, in both languages and themes${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    for (const [language, theme] of [
      ["en", "light"],
      ["ja", "dark"],
    ] as const) {
      const size = { width: 1440, height: 6000 };
      await using room = await openControlRoom(product, { language, theme, size });
      const { page } = room;
      await page.route(/\/api\/v1\/tasks\?/, (route) =>
        route.fulfill({ json: { items: EVERY_STATE, next: null } }),
      );
      // What is over is on the board as long as its repository is listed.
      const repositories = { items: [EVERY_STATE[0]?.repository], next: null };
      await page.route(/\/api\/v1\/repositories(\?|$)/, (route) => route.fulfill({ json: repositories }));
      await page.goto(`${room.url}/`);
      await settled(page);
      // The samples are of another day.
      await page.locator("[data-column=done]").getByRole("button").click();
      await page.locator("[data-column=done] [data-card]").first().waitFor();
      // A long column is loaded when it is wanted.
      const drawn = async () => ((await page.evaluate(DRAWN)) as string[]).toSorted();
      await waitFor("every card", async () => (await drawn()).length === EXPECTED.length, { instead: drawn });
      expect(await drawn()).toEqual(EXPECTED.toSorted());
      // A state without words of its own would show its code.
      expect(await page.getByText(/[a-z]_[a-z]/).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `states-${theme}`);
      await page.goto(`${room.url}/?view=table`);
      await settled(page);
      await keepShot(page, `states-table-${theme}`);
      // The filter looks for what is shown, in the language in which it is shown.
      await page.goto(`${room.url}/?view=table&q=${language === "en" ? "cancelled" : "取り消し済み"}`);
      await page.locator("tr[data-card]").first().waitFor();
      expect(room.faults).toEqual([]);
    }
  },
);
