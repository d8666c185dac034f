/** Reads in the control room who asked, as soon as there is more than one who does. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { withToken } from "../helpers/with-token.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  deep(`acts, runs and comments name who asked, and one person alone sees no name${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo more >> one.txt; echo Done.");
    const { attempt, run } = await ask(product, ["run", "Write more", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: "/activity" });
    const { page } = room;
    const by = page.getByRole("columnheader", { name: "By", exact: true });
    await page.getByRole("row", { name: /Pushed/ }).waitFor();
    expect(await by.count()).toBe(0);
    await page.goto(`${room.url}/attempts/${attempt.id}`);
    const heads = page.locator("[data-actor]");
    await page.getByRole("heading", { name: "Run 1" }).waitFor();
    expect(await heads.count()).toBe(0);
    await page.goto(`${room.url}/settings`);
    await page.getByRole("region", { name: "Access tokens" }).waitFor();
    expect(await page.getByRole("region", { name: "What was done" }).count()).toBe(0);
    await page.goto(`${room.url}/attempts/${attempt.id}`);

    const bot = await withToken(product, "ci-bot");
    await writeFile(join(attempt.worktree, "one.txt"), "edited\n");
    await bot(`/runs/${run.id}/restore`, {});
    await bot(`/attempts/${attempt.id}/runs`, { instruction: "And more" });
    await waitFor("both runs to be named", async () => (await heads.count()) === 2);
    expect(await heads.allTextContents()).toEqual([" · owner", " · token ci-bot"]);
    await keepShot(page, "actors-attempt");
    await product.tazuna(["wait", attempt.id]);
    await product.agent("endless", "sleep 600");
    const slow = await ask(product, ["run", "Never end", "--agent", "endless", "--detach"]);
    await bot(`/runs/${slow.run.id}/stop`, {});
    await product.tazuna(["wait", slow.attempt.id]);
    await page.goto(`${room.url}/attempts/${slow.attempt.id}`);
    await page.locator("[data-stopped-by]").getByText("Stopped by token ci-bot").waitFor();
    expect(await heads.allTextContents()).toEqual([" · owner"]);
    await keepShot(page, "actors-stopped");
    await bot(`/attempts/${attempt.id}/comments`, { path: "one.txt", line: 1, body: "Why?" });
    await page.goto(`${room.url}/attempts/${attempt.id}/review`);
    await page.locator("[data-comment-id]").getByText("token ci-bot").waitFor();
    await keepShot(page, "actors-review");

    await page.goto(`${room.url}/activity`);
    await by.waitFor();
    const restored = page.getByRole("row", { name: /Put files back.*token ci-bot/ });
    await restored.click();
    const details = page.getByRole("complementary");
    await details.getByText("token ci-bot").waitFor();
    expect(
      await page
        .getByRole("row", { name: /Pushed/ })
        .first()
        .textContent(),
    ).toContain("Tazuna");
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "actors-activity");

    await mkdir(join(product.repository, ".tazuna"));
    const config = JSON.stringify({ setup: ["true"] });
    await writeFile(join(product.repository, ".tazuna", "config.json"), config, { mode: 0o644 });
    await bot("/scripts/trust", { repository: product.repository, hashes: "all" });
    for (let n = 0; n < 20; n++)
      await bot("/settings", { key: "limits.parallel", value: n + 1, repository: null }, "PATCH");
    await page.goto(`${room.url}/settings`);
    const acts = page.getByRole("region", { name: "What was done" });
    await acts.getByText("changed the setting limits.parallel").first().waitFor();
    expect(await acts.getByRole("listitem").count()).toBe(20);
    await acts.getByRole("button", { name: "Show older ones" }).click();
    await acts.getByText("trusted scripts of project").waitFor();
    await acts.getByText("made the token ci-bot").waitFor();
    await acts.scrollIntoViewIfNeeded();
    await keepShot(page, "actors-team-acts");
    await page.getByText("trusted by token ci-bot").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(room.faults).toEqual([]);
  },
);
