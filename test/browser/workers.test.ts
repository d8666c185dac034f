/** Shows in the browser on which worker an attempt is, and who shares the database. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { workerName } from "../../src/domain/worker/worker.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { other, uncloned } from "../helpers/uncloned-world.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`what another worker holds says where it is, and Settings who is there${BROWSER.why}${missing}`),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    await product.agent("writer", "echo one > one.txt; echo Done.");
    const home = join(dirname(product.home), "other home");
    const there = { env: { TAZUNA_HOME: home } };
    await mkdir(home, { mode: 0o700 });
    await cp(join(product.home, "config.json"), join(home, "config.json"));
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "writer"], there);
    await product.tazuna(["engine", "stop"], there);
    const name = workerName(hostname(), new Set());

    const db = new Client({ connectionString: server.url });
    await db.connect();
    const moved = {
      code: "moved",
      message: "Moved from mac-7; edits stayed there.",
      details: { name: "mac-7" },
    };
    await db.query("update runs set notes = $1", [JSON.stringify([moved])]);
    await db.end();

    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByText(`on ${name}`, { exact: true }).waitFor();
    await page.getByTitle(moved.message).getByText("moved from mac-7", { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "moved");
    await page.goto(`${room.url}/attempts/${attempt.id}`);
    await page.getByRole("region", { name: "Attempt" }).getByText(`on ${name}`, { exact: true }).waitFor();
    await page.goto(`${room.url}/settings`);
    const workers = page.getByRole("region", { name: "Workers" });
    const [own, other] = [workers.getByRole("listitem").nth(0), workers.getByRole("listitem").nth(1)];
    await own.getByText(`${name}-2`).waitFor();
    await own.getByText("this one").waitFor();
    await other.getByText("stopped").waitFor();
    await other.getByText("1 open attempt lies there").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "workers");
    expect(room.faults).toEqual([]);
  },
);

for (const look of drawn(LOOKS, "worker-clones"))
  test.skipIf(BROWSER.missing || missing !== "")(
    deep(
      `the form of a task names the worker that clones first and takes it, in the language ${look.language}${BROWSER.why}${missing}`,
    ),
    async () => {
      await using team = await uncloned(8);
      const { name } = await other(team);
      await team.fill();
      const { language, theme } = look;
      await using room = await openControlRoom(team.product, { language, theme, path: "/tasks/new" });
      const { page, say } = room;
      await page.getByRole("textbox", { name: say.whole("Issue") }).fill("Change it");
      await page.getByRole("spinbutton", { name: say.part("Attempts of writer") }).press("2");
      await page
        .getByText(say.whole(`2 go to ${name}, which clones the repository first: writer ×2`))
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `clones-first-${language}`);
      await team.worked(await team.run());
      await page.getByText(say.whole(`2 start now on ${name}: writer ×2`)).waitFor();
      await page.getByRole("spinbutton", { name: say.part("Attempts of writer") }).press("9");
      await page.getByText(say.part(`8 go to ${name}, which has free slots: writer ×8`)).waitFor();
      expect(room.faults).toEqual([]);
    },
  );
