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
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
/** The first time it does its task. Then it does what the person's words name, whatever the comments are. */
const DOER = `if test -e new.txt; then sed -i '3s/.*/drei/' long.txt; else
  sed -i '3s/.*/three/;9d' long.txt; printf 'a\\nb\\nc\\n' > new.txt; fi; echo Done.`;

/** The row of a line on the new side. */
const lineButton = ({ page, say }: ControlRoom, path: string, line: number) =>
  page
    .getByRole("region", { name: path })
    .getByRole("button", { name: say.whole(`Comment on line ${line}`) });

for (const look of LOOKS)
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
      ).toBe(2);
      expect(await accessibilityFaults(page)).toEqual([]);

      // By keyboard: to the third line, a comment, kept as a draft.
      await page.keyboard.press("}");
      await page.keyboard.press("j");
      await page.keyboard.press("c");
      await page.keyboard.type("Why three?");
      await keepShot(page, `review-composer-${look.language}`);
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("line 3 · not sent yet")).waitFor();
      // By mouse: a suggestion for a line of the new file.
      await lineButton(room, "new.txt", 2).click();
      await page.getByRole("button", { name: say.part("Suggest other lines") }).click();
      await page.getByRole("button", { name: say.part("Keep as draft") }).click();
      await page.getByRole("figure").getByText(say.part("Suggestion")).waitFor();
      await page.reload();
      await page.getByText(say.part("line 3 · not sent yet")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `review-drafts-${look.language}`);

      await page
        .getByRole("checkbox", { name: say.whole("Viewed: long.txt") })
        .first()
        .check();
      await page.getByText(say.part("1 of 2 viewed")).waitFor();
      await page.getByRole("button", { name: say.part("Send 2 comments as one run") }).press("Enter");
      await page.getByText(say.part("2 comments sent.")).waitFor();
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
