/** Follows in the browser the log of a run of another machine, which is killed then. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { twoEngines } from "../helpers/two-engines.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`a timeline follows a run of another machine, and says if that one is gone${BROWSER.why}${missing}`),
  async () => {
    await using world = await twoEngines();
    const { product, there } = world;
    await using door = gate(product, "talk-in-a-timeline");
    await using exit = gate(product, "end-of-the-talk");
    await product.agent("talker", `echo Before the door; ${door.wait}; echo Behind the door; ${exit.wait}`);
    await world.settle();
    const { attempt } = await ask(product, ["run", "Talk", "--agent", "talker", "--detach"], there);
    await door.reached();
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    await page.getByText("Before the door").first().waitFor();
    await door.open();
    await page.getByText("Behind the door").first().waitFor();
    expect(await page.getByText(/is not there\. This is what it had sent/).count()).toBe(0);
    await world.killOther();
    await page.getByText(/is not there\. This is what it had sent by/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "log-cut-off-en");
    await using second = await openControlRoom(product, {
      ...{ language: "ja", theme: "dark", path: `/attempts/${attempt.id}` },
    });
    await second.page.getByText("までに届いた分です").waitFor();
    await second.page.getByText("Behind the door").first().waitFor();
    expect(await accessibilityFaults(second.page)).toEqual([]);
    await keepShot(second.page, "log-cut-off-ja-dark");
    expect([...room.faults, ...second.faults]).toEqual([]);
  },
);
