/** Starts a task from the form by keyboard, and takes the start back (design: flows, section 2). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

for (const look of drawn(LOOKS, "new-task"))
  test.skipIf(BROWSER.missing)(
    deep(
      `a task is written, given to two attempts by keyboard, and its card gets the focus, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using product = await startProduct();
      await using room = await openControlRoom(product, { ...look, path: "/tasks/new" });
      const { page, say } = room;
      await page.getByText(say.part("Tazuna knows no repository yet.")).waitFor();
      await product.tazuna(["repo", "add", product.repository]);
      const issue = page.getByRole("textbox", { name: say.whole("Issue") });
      await page.getByRole("combobox", { name: say.part("Repository") }).waitFor();
      expect(await page.locator(":focus").getAttribute("rows")).toBe("3");
      await page.keyboard.type("Greet people by name");
      const context = page.getByRole("textbox", { name: say.whole("Context") });
      await context.pressSequentially("See @read");
      await page.getByRole("option", { name: "README.md" }).waitFor();
      await context.press("Enter");
      expect(await context.inputValue()).toBe("See README.md ");
      await page.getByRole("textbox", { name: say.whole("Constraints") }).fill("No new dependency.");
      if (look.isCut) await room.cut();
      await page.getByRole("button", { name: say.part("More demo") }).click();
      await page.getByRole("spinbutton", { name: say.part("Attempts of demo") }).press("2");
      await page.getByText(say.part("2 start now: demo ×2")).waitFor();
      await page.getByText(/Draft saved|下書きを保存しました/).waitFor();
      await page.reload();
      await page.getByText(say.part("2 start now: demo ×2")).waitFor();
      expect(await issue.inputValue()).toBe("Greet people by name");
      expect(await page.getByRole("button", { name: say.part("More codex") }).isVisible()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `new-task-${look.language}`);
      await issue.press("Control+Enter");
      await page.getByText(say.part("2 attempts started")).waitFor();
      await page.locator("[data-task]:focus").waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
      await page.keyboard.press("n");
      await issue.waitFor();
      expect(await issue.inputValue()).toBe("");
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(`the key z takes back what has not begun, and says what goes on${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("slow", "sleep 60");
    await product.configure({ limits: { parallel: 1 } });
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    await page.getByRole("textbox", { name: "Issue", exact: true }).fill("Take your time");
    await page.getByRole("spinbutton", { name: "Attempts of slow" }).press("2");
    await page.getByText("1 starts now: slow").waitFor();
    await page.getByText(/1 waits: slow/).waitFor();
    await page.getByRole("button", { name: /Start 2 attempts/ }).click();
    await page.getByText("2 attempts started").waitFor();
    await page
      .locator("[data-column=working]")
      .getByText(/^Running/)
      .waitFor();
    await page.keyboard.press("z");
    await page.getByText("1 attempt cancelled").waitFor();
    await page.getByText("1 had begun and goes on.").waitFor();
    expect(room.faults).toEqual([]);
  },
);
