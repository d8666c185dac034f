/** Invites a machine in Settings: the command is shown once, in both languages. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`Settings invites a machine, and shows the command once${BROWSER.why}${missing}`),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    await product.tazuna(["list"]);
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const commands = new Set<string | null>();
    for (let round = 0; round < 2; round++) {
      await page.getByRole("button", { name: "Invite a machine" }).click();
      const dialog = page.getByRole("dialog", { name: "Type this on the machine that joins" });
      const command = dialog.getByText(
        /^tazuna worker --join http:\/\/127\.0\.0\.1:\d+\/join\/tzj_[\w-]{43}$/,
      );
      await command.waitFor();
      commands.add(await command.textContent());
      await dialog.getByText(/^This server is reached from its own machine alone/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, "invite-en");
      await dialog.getByRole("button", { name: "I have it" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    expect(commands.size).toBe(2);

    await using second = await openControlRoom(product, { language: "ja", theme: "dark", path: "/settings" });
    await second.page.getByRole("button", { name: "マシンを招待" }).click();
    await second.page
      .getByRole("dialog")
      .getByText(/^tazuna worker --join/)
      .waitFor();
    expect(await accessibilityFaults(second.page)).toEqual([]);
    await keepShot(second.page, "invite-ja-dark");
    expect([...room.faults, ...second.faults]).toEqual([]);
  },
);
