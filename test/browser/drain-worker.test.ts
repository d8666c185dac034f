/** Drains a worker in Settings while it works, takes it back, and removes it, in both languages. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { ask, ending, gate, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { twoEngines } from "../helpers/two-engines.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`Settings drains a worker, takes it back and removes it${BROWSER.why}${missing}`),
  async () => {
    await using world = await twoEngines();
    const { product, there } = world;
    await using door = gate(product, "drained-in-settings");
    await product.agent("slow", `${door.wait}; echo two > two.txt; echo Done.`);
    await world.settle();
    const { document } = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"], there);
    await door.reached();

    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const workers = page.getByRole("region", { name: "Workers" });
    const other = workers.getByRole("listitem").nth(1);
    await other.getByText("ready", { exact: true }).waitFor();
    expect(await other.getByRole("button", { name: "Remove" }).count()).toBe(0);
    await other.getByRole("button", { name: "Drain" }).click();
    await other.getByText("draining, 1 run").waitFor();
    await other.getByRole("button", { name: "Stop its runs in 30 minutes" }).click();
    await other.getByText(/^its runs stop at/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await other.scrollIntoViewIfNeeded();
    await keepShot(page, "drain-en");

    await using second = await openControlRoom(product, {
      language: "ja",
      theme: "dark",
      path: "/settings",
    });
    const draining = second.page.getByText("受付停止中 · 残り 1 件");
    await draining.waitFor();
    await settled(second.page);
    expect(await accessibilityFaults(second.page)).toEqual([]);
    await draining.scrollIntoViewIfNeeded();
    await keepShot(second.page, "drain-ja-dark");

    await other.getByRole("button", { name: "Resume" }).click();
    await other.getByText("ready", { exact: true }).waitFor();
    await other.getByRole("button", { name: "Drain" }).click();
    await door.open();
    const { run } = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    await other.getByText("drained", { exact: true }).waitFor();
    await other.getByText(/^by browser at /).waitFor();
    await other.getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 open attempt can go on in a clone here, from what was pushed.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "remove-en");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await workers.getByRole("listitem").count()).toBe(2);
    await other.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await other.waitFor({ state: "detached" });
    expect([...room.faults, ...second.faults]).toEqual([]);
  },
);
