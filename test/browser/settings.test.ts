/** Reads Settings, trusts the scripts of a repository there, and changes this device. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, exists, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

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
    await page.getByRole("region", { name: "Workers" }).getByText("This Tazuna works alone.").waitFor();
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

    // Escape leaves the field and not the screen; what is refused or done gives the focus back.
    await page.getByRole("button", { name: "Change base" }).click();
    await page.getByRole("textbox", { name: "Value of base" }).fill("a..b");
    await page.keyboard.press("Enter");
    await page.getByText("is not a branch, a tag or a commit").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: /^Change ?base$/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings");

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
    expect(room.faults.filter((fault) => !fault.includes("400 (Bad Request)"))).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`what the doctor names is mended by its buttons, and a command is copied${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo done > note.txt");
    const { attempt: lost } = await ask(product, ["run", "Lose the folder", "--agent", "writer"]);
    const { attempt: stuck } = await ask(product, ["run", "Not cleaned up", "--agent", "writer"]);
    await rm(lost.worktree, { recursive: true });
    const trash = join(product.home, "trash");
    await rm(trash, { recursive: true, force: true });
    await writeFile(trash, "in the way\n");
    expect((await product.tazuna(["cancel", stuck.id])).code).toBe(1);
    const config = JSON.stringify({ checks: [{ name: "test", run: "test -f README.md" }] });
    await mkdir(join(product.repository, ".tazuna"), { recursive: true });
    await writeFile(join(product.repository, ".tazuna/config.json"), config);
    const other = join(product.home, "../other");
    await product.sandbox.git(product.home, ["clone", "--quiet", product.origin, other]);
    await product.tazuna(["repo", "add", other]);
    await rename(other, `${other}-moved`);

    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const doctor = page.getByRole("region", { name: "Doctor" });
    const finding = (words: string) => doctor.getByRole("listitem").filter({ hasText: words });
    const cleanUp = finding("its clean-up cannot go on");
    const cancel = cleanUp.getByRole("button", { name: "Try the clean-up now" });
    await cancel.waitFor();
    const triedAt = async () =>
      (await product.tazuna(["show", stuck.id, "--json"])).json<AttemptAlone>().clean_up?.tried_at;
    const first = await triedAt();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "settings-doctor");
    await cancel.click();
    await page.getByText("The clean-up is tried now").waitFor();
    await waitFor("another try", async () => (await triedAt()) !== first);
    await cleanUp.waitFor();
    expect(await exists(stuck.worktree)).toBe(true);
    await rm(trash);
    await cancel.click();
    await cleanUp.waitFor({ state: "detached" });
    await waitFor("the worktree to be gone", async () => !(await exists(stuck.worktree)));

    const scripts = finding("you have not trusted it yet");
    await scripts.getByRole("button", { name: "Read and trust" }).click();
    await page.getByRole("dialog").getByText("check test: test -f README.md").waitFor();
    await page.getByRole("button", { name: "Trust these scripts" }).click();
    await scripts.waitFor({ state: "detached" });
    expect((await product.tazuna(["doctor", "--json"])).stdout).not.toContain("you have not trusted");

    const moved = finding("tazuna repo move");
    const repositories = page.getByRole("region", { name: "Repositories" });
    await repositories.getByRole("alert").getByText("not_a_repository").waitFor();
    const copy = moved.getByRole("button", { name: /^Copy\s*tazuna repo move/ });
    await copy.click();
    const command = String(await page.evaluate("navigator.clipboard.readText()"));
    const [, ...typed] = command.split(" ");
    expect((await product.tazuna(typed, { cwd: `${other}-moved` })).code).toBe(0);
    await moved.waitFor({ state: "detached" });

    // The command names the beginning of its id.
    await finding(lost.id.slice(0, 8)).getByRole("button", { name: "Open the attempt" }).click();
    await page.waitForURL(`**/attempts/${lost.id}`);
    await page.getByRole("heading", { level: 1, name: "Lose the folder" }).waitFor();
    // The repository that is gone cannot be asked for its scripts, and says so.
    expect(room.faults.filter((fault) => !fault.includes("400 (Bad Request)"))).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a key that is held down is one key, and a value goes into the file that it was begun for${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const keys = page.getByRole("region", { name: "Keys" });
    await keys.getByRole("button", { name: "Show all keys" }).click();
    const row = keys.locator("tr[data-act=newTask]");
    await row.getByRole("button", { name: /^Change/ }).click();
    await page.keyboard.down("q");
    await page.keyboard.down("q");
    await page.keyboard.up("q");
    const chosen = row.locator("td").nth(2).locator(".visually-hidden");
    await waitFor("another key", async () => (await chosen.textContent()) !== "n");
    expect(await chosen.textContent()).toBe("q");

    const scope = page.getByRole("combobox", { name: "Settings of" });
    const base = page.getByRole("textbox", { name: "Value of base" });
    await scope.selectOption({ index: 1 });
    await page.getByRole("button", { name: "Change base" }).waitFor();
    await scope.selectOption({ index: 0 });
    await page.getByRole("button", { name: "Change base" }).click();
    await base.fill("for-all");
    await scope.selectOption({ index: 1 });
    await base.waitFor({ state: "detached" });
    expect(room.faults).toEqual([]);
  },
);
