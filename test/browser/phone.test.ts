/** Answers on a phone what an agent asks, and goes on to the next that waits (design: flows, section 6). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { askingAgent } from "../helpers/asking-agent.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

for (const look of drawn(LOOKS, "phone"))
  test.skipIf(BROWSER.missing)(
    deep(`a question is read whole and allowed on a phone, then the next, ${look.in}${BROWSER.why}`),
    async () => {
      await using product = await startProduct();
      const asking = await askingAgent(product);
      await ask(product, [
        ...["run", "ask npm install left-pad", "--agent", "agent", "--agent", "agent"],
        ...["--constraints", "No new dependency."],
      ]);
      await using room = await openControlRoom(product, { ...look, phone: true });
      const { page, say } = room;
      await page.getByRole("article").nth(1).waitFor();
      await keepShot(page, `phone-list-${look.language}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("article").first().getByRole("link").first().tap();
      const asked = page.getByRole("region", { name: say.part("What the agent asks") });
      await asked.getByText("No new dependency.").waitFor();
      await asked.getByText("npm install left-pad").waitFor();
      await keepShot(page, `phone-question-${look.language}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      const first = page.url();
      if (look.isCut) await room.cut();
      // It reaches the network. Then the other that waits is shown.
      await page.getByRole("button", { name: say.whole("Approve") }).tap();
      // Two taps in a moment are one double tap, which is one press.
      await page.getByRole("button", { name: say.whole("Press again: Approve") }).click();
      await page.waitForURL((url) => url.href !== first && url.pathname.startsWith("/attempts/"));
      await asked.getByText("npm install left-pad").waitFor();
      await page.getByRole("button", { name: say.whole("Deny") }).tap();
      await page.waitForURL((url) => url.pathname === "/");
      await page.getByText(say.part("Nothing needs you.")).waitFor();
      await waitFor("both answers", async () => (await asking.answers()).length === 2);
      expect((await asking.answers()).toSorted()).toEqual([
        "npm install left-pad: no",
        "npm install left-pad: yes",
      ]);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(room.faults).toEqual([]);
    },
  );
