/** Compares attempts, takes from both, and chooses one with its reason (design: flows, section 2; product: scene 4). */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, fileAt, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const LINES = (middle: string) => `printf 'one\\n${middle}\\nthree\\n' > hello.txt; echo same > same.txt`;
const SAYS = (words: string) => `echo "${words}" > "$TAZUNA_SUMMARY_FILE"`;

/** Two attempts that left one file the same, one different, and one each. */
async function twoAttempts(product: Product) {
  await product.configure({ checks: [{ name: "tests", run: "true", required: true }] });
  await product.agent("anna", `${LINES("zwei")}; echo a > a.txt; ${SAYS("Counts in German.")}`);
  await product.agent("bert", `${LINES("deux")}; echo b > b.txt; ${SAYS("Counts in French.")}`);
  const args = ["run", "Count to three", "--agent", "anna", "--agent", "bert"];
  const { document } = await ask(product, [...args, "--context", "Somebody learns to count."]);
  return document.task.id;
}

const show = async (product: Product, task: string) =>
  (await product.tazuna(["show", task, "--json"])).json<TaskDocument>();

for (const look of drawn(LOOKS, "compare"))
  test.skipIf(BROWSER.missing)(
    deep(
      `by keyboard: files, each other, hidden names, and the choice with its reason, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using product = await startProduct();
      const task = await twoAttempts(product);
      await using room = await openControlRoom(product, { ...look, path: `/tasks/${task}` });
      const { page, say } = room;
      await page.getByRole("heading", { level: 1, name: "Count to three" }).waitFor();
      const grid = page.getByRole("region", { name: say.part("Files by attempt") });
      await grid.getByRole("button", { name: /same in A and B, 1 line added|A と B で同一/ }).waitFor();
      await page.getByText("“Counts in German.”").waitFor();
      await page.getByText(say.part("cleanly")).first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `compare-${look.language}`);
      // The file that differs comes first; its panes show both.
      const panes = page.getByRole("region", { name: say.part("Diffs, synced") });
      await panes.getByText("zwei").waitFor();
      await panes.getByText("deux").waitFor();
      await page.keyboard.press("t");
      await panes.getByRole("button", { name: say.whole("A against B"), pressed: true }).waitFor();
      await page.keyboard.press("j");
      await page.waitForURL(/file=/);
      await page.keyboard.press("t");
      // The keys that walk: attempts, files, only those that differ.
      await page.keyboard.press("l");
      await page.waitForURL(/attempt=B/);
      await page.keyboard.press("1");
      await page.waitForURL(/attempt=A/);
      await page.keyboard.press("/");
      await grid.getByRole("button", { name: say.whole("Differ"), pressed: true }).waitFor();
      await page.keyboard.press("/");
      await grid.getByRole("button", { name: say.whole("All"), pressed: true }).waitFor();
      await page.keyboard.press("]");
      await page.keyboard.press("[");
      // The keys of the panes: one attempt alone, white space, each side hidden and shown again.
      await page.keyboard.press("k");
      await page.keyboard.press("u");
      await panes.getByRole("button", { name: say.whole("A split"), pressed: true }).waitFor();
      const shown = panes.getByText(/zwei|deux/);
      await waitFor("one attempt alone", async () => (await shown.count()) === 1);
      await page.keyboard.press("u");
      await panes.getByText("deux").waitFor();
      await page.keyboard.press("W");
      await panes.getByRole("button", { name: say.whole("Hide white space"), pressed: true }).waitFor();
      await page.keyboard.press("\\");
      await panes.waitFor({ state: "detached" });
      await page.keyboard.press("\\");
      await page.keyboard.press("|");
      await grid.waitFor({ state: "detached" });
      await page.keyboard.press("|");
      await grid.waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // Hidden names hide the agent, the cost and the words.
      await page.keyboard.press("b");
      await page.getByRole("switch", { name: say.whole("Hide names"), checked: true }).waitFor();
      const summary = page.getByRole("region", { name: say.part("Attempts side by side") });
      expect(await summary.textContent()).not.toMatch(/anna|bert|German|French/);
      await page.keyboard.press("2");
      await page.keyboard.press("w");
      await page
        .getByRole("textbox", { name: say.part("Because") })
        .and(page.locator(":focus"))
        .waitFor();
      await page.keyboard.type("It is the one that was asked for");
      if (look.isCut) await room.cut();
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("A is chosen because", "B is chosen because")).waitFor();
      await summary.getByText("anna").waitFor();
      // A second thought: the choice is taken back, and made again.
      await page.keyboard.press("z");
      await page.getByText(say.part("No attempt is chosen now.")).waitFor();
      expect((await show(product, task)).task.decision).toBeNull();
      await page.keyboard.press("w");
      await page
        .getByRole("textbox", { name: say.part("Because") })
        .and(page.locator(":focus"))
        .waitFor();
      await page.keyboard.type("It is the one that was asked for");
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("A is chosen because", "B is chosen because")).waitFor();
      const { decision } = (await show(product, task)).task;
      expect(decision?.reason).toBe("It is the one that was asked for");
      // The others go from the toast.
      await page
        .getByRole("button", { name: say.whole("Move A to the trash", "Move B to the trash") })
        .last()
        .click();
      await waitFor("the other one to be cancelled", async () =>
        (await show(product, task)).attempts.some(({ state }) => state === "removed" || state === "canceled"),
      );
      // Another attempt of the same agent begins from the base as it is now.
      await page.keyboard.press(".");
      await page
        .getByRole("menuitem", {
          name: say.whole("Start A again from the new base", "Start B again from the new base"),
        })
        .click();
      await waitFor("a third attempt", async () => (await show(product, task)).attempts.length === 3);
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(
    `by mouse, dark and in Japanese: a file of each becomes a new attempt, and what does not fit is told${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    const task = await twoAttempts(product);
    await using room = await openControlRoom(product, {
      path: `/tasks/${task}`,
      language: "ja",
      theme: "dark",
    });
    const { page } = room;
    // The checks of all attempts run again, without their agents.
    await page.getByRole("button", { name: "検証をやり直す" }).click();
    await waitFor("both to be checked again", async () =>
      (await show(product, task)).attempts.every(
        ({ runs, state }) => state === "pushed" && runs.length === 2 && runs[1]?.checks[0]?.passed,
      ),
    );
    await page.getByRole("button", { name: "両方から採る" }).click();
    await page.getByRole("checkbox", { name: "A の hello.txt を採る" }).check();
    await page.getByRole("checkbox", { name: "B の hello.txt を採る" }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "2 か所で試行を作る" }).click();
    await page.getByRole("alert").getByText("does_not_fit").waitFor();
    expect((await show(product, task)).attempts).toHaveLength(2);
    await page.getByRole("checkbox", { name: "B の hello.txt を採る" }).uncheck();
    await page
      .getByRole("checkbox", { name: "B の same.txt を採る" })
      .or(page.getByRole("checkbox", { name: "A の same.txt を採る" }))
      .check();
    await keepShot(page, "compare-take-ja-dark");
    await page.getByRole("button", { name: "2 か所で試行を作る" }).click();
    await page.getByRole("button", { name: "C に決める" }).waitFor();
    const made = await waitFor("the new attempt to be pushed", async () => {
      const { attempts } = await show(product, task);
      return (
        attempts.length === 3 && attempts.find(({ origin, state }) => origin !== null && state === "pushed")
      );
    });
    expect(await fileAt(product, product.origin, made.branch, "same.txt")).toBe("same");
    expect(room.faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `a choice in one tab leaves the reason that another tab is writing, and is named beside it${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    const task = await twoAttempts(product);
    await using room = await openControlRoom(product, { path: `/tasks/${task}` });
    const other = await room.tab();
    await other.goto(`${room.url}/tasks/${task}`);
    await other.getByRole("button", { name: "Choose B" }).click();
    const box = other.getByLabel("Because");
    await box.fill("French is");
    await room.page.getByRole("button", { name: "Choose A" }).click();
    await room.page.getByLabel("Because").fill("German is shorter");
    await room.page.getByRole("button", { name: "Record decision" }).click();
    await other.getByText("German is shorter").waitFor();
    await other.keyboard.type(" better");
    expect(await box.inputValue()).toBe("French is better");
    await other.getByRole("button", { name: "Record decision" }).click();
    await room.page.getByText("B is chosen because").waitFor();
    expect((await show(product, task)).task.decision?.reason).toBe("French is better");
    expect(room.faults).toEqual([]);
  },
);
