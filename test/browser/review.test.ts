/** Reviews a patch by keyboard: comments become drafts, go to the agent as one run, and come back addressed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  accessibilityFaults,
  BROWSER,
  type ControlRoom,
  keepShot,
  openControlRoom,
} from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
/** The first time it does its task. Then it does what the person's words name, whatever the comments are. */
const DOER = `if test -e new.txt; then sed -i '3s/.*/drei/' long.txt; else
  sed -i '3s/.*/three/;9d;40s/$/x/' long.txt; printf 'a\\nb\\nc\\n' > new.txt; fi; echo Done.`;

/** The row of a line on the new side. */
const lineButton = ({ page, say }: ControlRoom, path: string, line: number) =>
  page
    .getByRole("region", { name: path })
    .getByRole("button", { name: say.whole(`Comment on line ${line}`) });

for (const look of drawn(LOOKS, "review"))
  test.skipIf(BROWSER.missing)(
    deep(
      `a person comments on lines, sends them as one run, and sees what came of them, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using product = await startProduct();
      await product.sandbox.commit(product.repository, { "long.txt": `${LINES.join("\n")}\n` }, "Lines");
      await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
      await product.agent("doer", DOER);
      const { attempt } = await ask(product, ["run", "Change the lines", "--agent", "doer"]);
      await using room = await openControlRoom(product, { ...look, path: `/attempts/${attempt.id}/review` });
      const { page, say } = room;

      await lineButton(room, "long.txt", 3).waitFor();
      expect(
        await page.getByRole("region", { name: "long.txt" }).getByText(say.part("removed")).count(),
      ).toBe(3);
      expect(await accessibilityFaults(page)).toEqual([]);

      // By keyboard: to the third line, a comment, kept as a draft.
      await page.keyboard.press("}");
      await page.keyboard.press("j");
      await page.keyboard.press("c");
      await page.keyboard.type("Why three?");
      await keepShot(page, `review-composer-${look.language}`);
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("line 3 · not sent yet")).waitFor();
      // What the patch leaves out: twenty lines by mouse, the rest by keyboard. A comment on one of them is at its line after a reload.
      const long = page.getByRole("region", { name: "long.txt" });
      await long.getByText(say.part("24 unchanged lines")).waitFor();
      await long.getByRole("button", { name: say.whole("20 more above") }).click();
      await lineButton(room, "long.txt", 20).click();
      await page.keyboard.type("Why not this one?");
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("line 20 · not sent yet")).waitFor();
      await long.getByRole("button", { name: say.whole("Show all 4") }).press("Enter");
      await long.getByRole("row", { name: "12" }).and(page.locator(":focus")).waitFor();
      // Now it is known how much there is behind the last change.
      expect(await long.getByText(say.part("24 unchanged lines")).count()).toBe(0);
      await long.getByText(say.part("17 unchanged lines")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.reload();
      await lineButton(room, "long.txt", 23).waitFor();
      expect(await lineButton(room, "long.txt", 24).count()).toBe(0);
      // What is written and not kept is there after a reload.
      await lineButton(room, "new.txt", 1).click();
      await page.keyboard.type("Half a thought");
      await page.reload();
      const box = page.getByRole("textbox", { name: say.whole("Comment on new.txt:1") });
      await box.waitFor();
      expect(await box.inputValue()).toBe("Half a thought");
      await page.getByRole("button", { name: say.whole("Close") }).click();
      await page.reload();
      // By mouse: a suggestion for a line of the new file.
      await lineButton(room, "new.txt", 2).click();
      expect(await page.getByRole("textbox", { name: say.whole("Comment on new.txt:2") }).inputValue()).toBe(
        "",
      );
      await page.getByRole("button", { name: say.part("Suggest other lines") }).click();
      await page.getByRole("button", { name: say.part("Keep as draft") }).click();
      await page.getByRole("figure").getByText(say.part("Suggestion")).waitFor();
      await page.reload();
      await page.getByText(say.part("line 3 · not sent yet")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `review-drafts-${look.language}`);
      // The card goes before the answer is there; the way back is told all the same.
      await page
        .getByRole("button", { name: say.whole("Delete") })
        .first()
        .click();
      await page.getByText(say.part("Draft deleted.")).waitFor();
      await page.keyboard.press("z");

      await page
        .getByRole("checkbox", { name: say.whole("Viewed: long.txt") })
        .first()
        .check();
      await page.getByText(say.part("1 of 2 viewed")).waitFor();
      await page.getByRole("button", { name: say.part("Send 3 comments as one run") }).press("Enter");
      await page.getByText(say.part("3 comments sent.")).waitFor();
      if (look.isCut) await room.cut();
      await page.getByText(say.part("Addressed in run 2")).first().waitFor();
      await page.getByText(say.part("0 of 2 viewed")).waitFor();
      await page.getByRole("button", { name: say.part("Since my review") }).waitFor();
      const half = page
        .getByRole("checkbox", { name: say.part("Changed since it was viewed: long.txt") })
        .first();
      expect(await half.evaluate((box) => (box as unknown as { indeterminate: boolean }).indeterminate)).toBe(
        true,
      );
      await keepShot(page, `review-addressed-${look.language}`);

      await page
        .getByRole("link", { name: say.part("See what changed") })
        .first()
        .click();
      await page.getByText("drei").waitFor();
      expect(await page.getByRole("button", { name: say.part("Run 2") }).getAttribute("aria-pressed")).toBe(
        "true",
      );
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(`on a phone a stroke goes from file to file, unless it scrolls code${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent(
      "doer",
      "test -e b.txt && exec rm b.txt; printf '%0300d\\n' 1 > a.txt; seq 80 > b.txt; printf 'GIF89a\\0' > c.gif",
    );
    const { attempt } = await ask(product, ["run", "Write files", "--agent", "doer"]);
    await using room = await openControlRoom(product, {
      path: `/attempts/${attempt.id}/review`,
      phone: true,
    });
    const { page } = room;
    const finger = await page.context().newCDPSession(page);
    const stroke = async (path: string, by: number) => {
      const box = await page.getByRole("region", { name: path }).boundingBox();
      const [x, y] = [195 - by / 2, (box?.y ?? 0) + 45];
      // A stroke is quick, however busy the machine is.
      const began = Date.now() / 1_000;
      const send = (type: "touchStart" | "touchMove" | "touchEnd", step: number) =>
        finger.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: type === "touchEnd" ? [] : [{ x: x + (by * step) / 5, y }],
          timestamp: began + step / 50,
        });
      await send("touchStart", 0);
      for (const step of [1, 2, 3, 4, 5]) await send("touchMove", step);
      await send("touchEnd", 6);
    };
    const inSight = (at: number) => page.getByText(`${at} of 3`).waitFor();
    await inSight(1);
    await lineButton(room, "a.txt", 1).waitFor({ state: "attached" });
    // Long code goes sideways, and the file stays.
    await stroke("a.txt", -200);
    const sideways = () => page.evaluate<number>("document.querySelector('.diff-body').scrollLeft");
    await waitFor("the code to go sideways", async () => (await sideways()) > 100);
    await inSight(1);
    await page.getByRole("button", { name: "Next file" }).click();
    await inSight(2);
    await stroke("b.txt", -200);
    await inSight(3);
    await page.getByText("A new binary file of 7 B.").waitFor();
    await stroke("c.gif", 200);
    await inSight(2);
    await page.getByRole("button", { name: "Previous file" }).click();
    await inSight(1);
    await page.getByRole("button", { name: "Next file" }).click();
    await inSight(2);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "review-phone");
    // A follow-up takes the file in sight out of the patch, and no error takes its place.
    await ask(product, ["continue", attempt.id, "Take it away again"]);
    await page.getByText("1 of 2").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    // If it goes between the list and its patch, the server says so, and the browser tells of that by itself.
    const asked = "/diff?path=b.txt";
    expect(room.faults.filter((fault) => !fault.endsWith(asked))).toEqual([]);
  },
);
