/** Reads what Tazuna did in Activity, and takes an operation back by a key. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  deep(`operations are told in plain words, live, and the key z takes one back${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo more >> README.md ");
    const { attempts } = (await product.tazuna(["run", "Write more", "--agent", "writer", "--json"])).json();
    await using room = await openControlRoom(product, { path: "/activity" });
    const { page } = room;
    await page.getByRole("row", { name: /Pushed/ }).waitFor();
    expect(await page.getByRole("row", { name: /Committed/ }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);

    await product.tazuna(["clean", attempts[0]?.id ?? "", "--yes"]);
    const moved = page.getByRole("row", { name: /Moved to the trash/ });
    await moved.getByRole("button", { name: /Undo/ }).waitFor();
    await moved.click();
    const details = page.getByRole("complementary", { name: "Moved to the trash" });
    await details.getByText("Before").waitFor();
    await keepShot(page, "activity");
    await moved.focus();
    await page.keyboard.press("z");
    await page.getByText("Undone: Moved to the trash").waitFor();
    await page.getByRole("row", { name: /Restored from the trash/ }).waitFor();

    await page.getByRole("button", { name: "Worktrees", exact: true }).click();
    await page.getByRole("row", { name: /Pushed/ }).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("kind")).toBe("worktrees");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "Only failed" }).check();
    await page
      .getByText("No operation matches.")
      .or(page.getByText(/Nothing has been done/))
      .waitFor();
    await page.getByRole("checkbox", { name: "Only failed" }).uncheck();
    await page.getByRole("textbox", { name: "Filter" }).fill("origin push");
    await page.getByRole("row", { name: /Pushed/ }).waitFor();
    await page.getByRole("row", { name: /Committed/ }).waitFor({ state: "detached" });
    expect(room.faults).toEqual([]);
  },
);
