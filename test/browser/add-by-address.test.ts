/** Begins a task from the browser in a repository that only another worker has cloned. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { teamWorld } from "../helpers/team-world.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`New task offers what another worker cloned, and begins there${BROWSER.why}${missing}`),
  async () => {
    await using world = await teamWorld();
    const { product, url } = world;
    await product.agent("writer", "echo one > one.txt; echo Done.");
    await world.settle();
    expect((await product.tazuna(["repo", "remove", "project"])).code).toBe(0);
    const { workers } = (await product.tazuna(["workers", "--json"])).json<{
      workers: readonly { readonly name: string }[];
    }>();
    const name = workers[1]?.name ?? "";

    await using room = await openControlRoom(product, { path: "/tasks/new" });
    const { page } = room;
    const repository = page.getByRole("combobox", { name: "Repository" });
    await repository.getByRole("option", { name: `other clone (on ${name})` }).waitFor({ state: "attached" });
    await page.getByText(url, { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Issue" }).fill("Greet people by name");
    await page.getByRole("button", { name: "More writer" }).click();
    await page.getByText("1 starts now: writer").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "add-by-address");
    await page.getByRole("textbox", { name: "Issue" }).press("Control+Enter");
    await page.getByText(`on ${name}`, { exact: true }).waitFor();
    await keepShot(page, "add-by-address-begun");
    expect(room.faults).toEqual([]);
  },
);
