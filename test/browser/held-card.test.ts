/** A card in which a person types stays where it is until the words were sent or left (design: flows, section 4). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { askingAgent } from "../helpers/asking-agent.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** Fails unless it is told words that begin so. */
async function mendableAgent(product: Product) {
  await product.agent(
    "broken",
    'case "$TAZUNA_INSTRUCTION" in "Now it works"*) echo x >> x.txt;; *) exit 3;; esac',
  );
}

test.skipIf(BROWSER.missing)(
  deep(`words in a card are no keys of the board if its attempt stops needing a person${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await mendableAgent(product);
    const { document } = await ask(product, ["run", "It breaks", "--agent", "broken", "--agent", "broken"]);
    const [first, second] = document.attempts.map(({ id }) => id) as [string, string];
    await using room = await openControlRoom(product);
    const { page } = room;
    const needs = page.locator("[data-column=needs]");
    const card = needs.locator(`[data-card="${first}"]`);
    await card.focus();
    await page.keyboard.press("r");
    const field = card.getByRole("textbox", { name: "Message to the agent" });
    await field.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Now it works, ");
    await ask(product, ["continue", second, "Now it works"]);
    await card.getByRole("status").filter({ hasText: "Meanwhile it went to" }).waitFor();
    expect(await needs.locator("[data-card]").count()).toBe(1);
    expect(await page.locator(`[data-attempts~="${first}"]`).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "card-held");
    // As keys these would open the table, select, stop and walk.
    await page.keyboard.type("txsj");
    expect(await field.and(page.locator(":focus")).inputValue()).toBe("Now it works, txsj");
    expect(page.url()).not.toContain("view=table");
    await page.keyboard.press("Control+Enter");
    await card.waitFor({ state: "detached" });
    await page.locator(`[data-attempts~="${first}"]:focus`).waitFor();
    await waitFor("the words at the agent", async () => {
      const { attempts } = await ask(product, ["show", document.task.id]);
      return attempts.find(({ id }) => id === first)?.runs.at(-1)?.instruction === "Now it works, txsj";
    });
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a card that is left without a word goes where it belongs, and the focus stays on the board${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await mendableAgent(product);
    const { document } = await ask(product, ["run", "It breaks", "--agent", "broken", "--agent", "broken"]);
    const [first, second] = document.attempts.map(({ id }) => id) as [string, string];
    await using room = await openControlRoom(product);
    const { page } = room;
    // On a phone the column would be hidden as soon as nobody is needed.
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.locator(`[data-column=needs] [data-card="${first}"]`);
    await card.getByRole("button", { name: "Write" }).click();
    const field = card.getByRole("textbox");
    await field.and(page.locator(":focus")).waitFor();
    await ask(product, ["continue", second, "Now it works"]);
    await card.getByRole("status").filter({ hasText: "Meanwhile it went to" }).waitFor();
    expect(await field.and(page.locator(":focus")).isVisible()).toBe(true);
    await keepShot(page, "card-held-phone");
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await page.locator(`[data-attempts~="${first}"]`).waitFor({ state: "attached" });
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an answer to a question that is over is refused, and its words stay with the attempt${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await askingAgent(product);
    const { attempt } = await ask(product, ["run", "ask npm install left-pad", "--agent", "agent"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    const card = page.locator(`[data-card="${attempt.id}"]`);
    await card.focus();
    await page.keyboard.press("r");
    await card.getByRole("textbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Use the ");
    await ask(product, ["stop", attempt.id]);
    await card.getByRole("status").filter({ hasText: "Meanwhile" }).waitFor();
    await page.keyboard.type("other one");
    expect(await card.getByRole("textbox").inputValue()).toBe("Use the other one");
    await page.keyboard.press("Control+Enter");
    await card.getByRole("textbox").waitFor({ state: "detached" });
    await page.goto(`${room.url}/attempts/${attempt.id}`);
    const box = page.getByRole("textbox", { name: "Message to the agent" });
    await box.waitFor();
    expect(await box.inputValue()).toBe("Use the other one");
  },
);
