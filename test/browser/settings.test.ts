/** Reads Settings, trusts the scripts of a repository there, and changes this device. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  deep(`scripts are read and trusted, and the language of this device changes${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await mkdir(join(product.repository, ".tazuna"), { recursive: true });
    const config = JSON.stringify({ checks: [{ name: "test", run: "test -f README.md" }] });
    await writeFile(join(product.repository, ".tazuna/config.json"), config);
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const repositories = page.getByRole("region", { name: "Repositories" });
    await repositories.getByText("check test: test -f README.md").waitFor();
    await page.getByRole("region", { name: "Agents" }).getByText("demo").waitFor();
    await page
      .getByRole("region", { name: "Doctor" })
      .getByText(/more (is|are) well/)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await repositories.getByRole("button", { name: "Read and trust" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("check test: test -f README.md").waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Not now");
    await dialog.getByRole("button", { name: "Trust these scripts" }).click();
    await page.getByText("1 script trusted").waitFor();
    await repositories.getByRole("button", { name: "Read and trust" }).waitFor({ state: "detached" });
    await keepShot(page, "settings");
    await writeFile(join(product.repository, ".tazuna/config.json"), config.replace("-f", "-s"));
    await page.reload();
    await repositories.getByText("trusted before:check test: test -f README.md").waitFor();

    await page.getByRole("button", { name: "Change publish" }).click();
    await page.getByRole("combobox", { name: "Value of publish" }).selectOption("hold");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("publish is now hold").waitFor();
    await page
      .getByRole("row", { name: /^publish/ })
      .getByText('"hold"')
      .waitFor();
    await page.keyboard.press("z");
    await page.getByText("publish is not in the file any more").waitFor();
    await page
      .getByRole("row", { name: /^publish/ })
      .getByText('"push"')
      .waitFor();

    await page.getByRole("combobox", { name: "Language" }).selectOption("ja");
    await page.getByRole("heading", { level: 1, name: "設定" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
    expect(room.faults).toEqual([]);
  },
);
