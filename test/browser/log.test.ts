/** Goes back and forth in the log of a run whose lines fold into a few rows, by wheel, keys and search. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BROWSER, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const CALLS = 1_500;
/** Lines that a page of the log holds. */
const PAGE_LINES = 500;

/** Calls that went well follow each other, so a hundred of them are one row. */
const AGENT = `
const say = (event) => process.stdout.write(JSON.stringify({ session_id: "s", ...event }) + "\\n");
const role = (type, content) => say({ type, message: { id: "m", role: type, content } });
if (process.argv.includes("--version")) { console.log("2.1.330 (Claude Code)"); process.exit(0); }
say({ type: "system", subtype: "init", model: "test" });
role("assistant", [{ type: "text", text: "I begin with the first part." }]);
for (let n = 1; n <= ${CALLS}; n += 1) {
  role("assistant", [{ type: "tool_use", id: "t" + n, name: "Read", input: { file_path: "part-" + n + ".ts" } }]);
  role("user", [{ type: "tool_result", tool_use_id: "t" + n, content: "part " + n }]);
}
say({ type: "result", subtype: "success", is_error: false, result: "All parts are read.", total_cost_usd: 0 });
`;

/** A run with such a log that has ended; gives its attempt. */
async function readManyParts(product: Product): Promise<string> {
  const program = join(product.home, "..", "reader.mjs");
  await writeFile(program, AGENT);
  await product.configure({
    agents: { reader: { executor: "claude-code", command: [process.execPath, program] } },
  });
  const { attempts } = (await product.tazuna(["run", "Read all", "--agent", "reader", "--json"])).json();
  return attempts[0]?.id ?? "";
}

/** Counts the pages of the log that are asked for. */
function countPages(page: Page): { readonly asked: () => number } {
  let asked = 0;
  page.on("request", (request) => {
    if (/\/events\?.*after=/.test(request.url())) asked += 1;
  });
  return { asked: () => asked };
}

const ALL_IN_SIGHT = `(() => {
  const { scrollHeight, clientHeight } = document.querySelector("[data-timeline]");
  return scrollHeight <= clientHeight;
})()`;

const more = (page: Page) => page.locator("[data-timeline] [data-event=more]");

test.skipIf(BROWSER.missing)(
  deep(
    `a log that folds into rows which are all in sight is read back by the wheel and by keys${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    const attempt = await readManyParts(product);
    await using room = await openControlRoom(product, {
      path: `/attempts/${attempt}`,
      size: { width: 1440, height: 1400 },
    });
    const { page } = room;
    const timeline = page.locator("[data-timeline]");
    await more(page).waitFor();
    expect(await page.evaluate(ALL_IN_SIGHT)).toBe(true);
    const pages = countPages(page);

    await timeline.hover();
    await page.mouse.wheel(0, -100);
    await waitFor("a page that the wheel asked for", () => pages.asked() === 1, {
      instead: () => pages.asked(),
    });
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    await waitFor("the first line", async () => {
      await page.keyboard.press("k");
      return (await page.getByText("I begin with the first part.").count()) === 1;
    });
    expect(await more(page).filter({ hasText: "earlier" }).count()).toBe(0);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a piece from the middle of a log grows by one page for a push, and not by itself${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const attempt = await readManyParts(product);
    await using room = await openControlRoom(product, {
      path: `/attempts/${attempt}`,
      size: { width: 1440, height: 1400 },
    });
    const { page } = room;
    await page.getByRole("button", { name: "Search in the log" }).click();
    await page.getByRole("textbox", { name: "Search in the log" }).fill("part-700.ts");
    await page.keyboard.press("Enter");
    await page
      .getByRole("listitem")
      .getByRole("button", { name: /part-700/ })
      .first()
      .click();
    // The group of the hit is unfolded, and its calls are in sight. Without them, all rows are.
    await page.locator("[data-timeline]").getByText("part-700.ts").waitFor();
    const group = page.locator("[data-timeline] button[aria-expanded=true]");
    await group.click();
    // Lines before it and after it are on the server alone, and both rows that would read them are in sight.
    await waitFor("both ends of the piece", async () => (await more(page).count()) === 2);
    const pages = countPages(page);
    const earlier = async () => Number((await more(page).first().innerText()).replaceAll(/\D/g, ""));
    const before = await earlier();

    await page.locator("[data-timeline]").hover();
    await page.mouse.wheel(0, -100);
    await waitFor("older lines", async () => (await earlier()) === before - PAGE_LINES);
    await page.mouse.wheel(0, 100);
    await waitFor("newer lines", () => pages.asked() === 2);
    await page.getByRole("button", { name: "Talk", exact: true }).click();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await waitFor("both ends of the larger piece", async () => (await more(page).count()) === 2);
    expect(pages.asked()).toBe(2);
    expect(await earlier()).toBe(before - PAGE_LINES);
    expect(room.faults).toEqual([]);
  },
);
