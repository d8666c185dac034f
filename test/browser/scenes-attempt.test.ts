/** Plays the scenes of one attempt by keyboard alone: stop and say, my own edits, why red (product: scenes 2, 3, 7). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { tabTo } from "../helpers/by-keyboard.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { NOTE_WRITER } from "../helpers/note-writer.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test.skipIf(BROWSER.missing)(
  deep(`the queue is changed without a mouse, words stop the run, and own edits become a run${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", NOTE_WRITER);
    const { attempt } = await ask(product, ["run", "First, then wait", "--agent", "writer", "--detach"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const timeline = page.getByRole("feed", { name: "Timeline" });
    await timeline.getByText("I wrote a note.").waitFor();
    const queue = page.getByRole("list", { name: "Waiting" });
    await page.keyboard.press("r");
    // A second Enter sends nothing, and who types on loses no letter.
    await page.keyboard.type("Second");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Third");
    await queue.getByText("Second").waitFor();
    await page.keyboard.press("Enter");
    await queue.getByText("Third").waitFor();
    expect(await queue.getByRole("listitem").count()).toBe(2);
    const last = queue.getByRole("listitem").filter({ hasText: "Third" });
    await tabTo(page, last.getByRole("button", { name: "Remove" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await last.waitFor({ state: "detached" });
    const edit = queue.getByRole("button", { name: "Edit" });
    const focused = page.locator(":focus");
    await edit.and(focused).waitFor();
    await page.keyboard.press("Enter");
    await queue.getByRole("textbox").and(focused).waitFor();
    await page.keyboard.type(" thing");
    await page.keyboard.press("Enter");
    await queue.getByText("Second thing").waitFor();
    await edit.and(focused).waitFor();

    await page.keyboard.press("r");
    await page.keyboard.type("Do this");
    // What is typed outlives a look at another screen.
    await page.keyboard.press("Escape");
    await page.keyboard.press("v");
    await page.waitForURL("**/review");
    await page.goBack();
    await timeline.getByText("I wrote a note.").waitFor();
    await page.keyboard.press("r");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" now");
    await page.keyboard.press("Control+Enter");
    await timeline.getByText("Stopped. The files are kept.").waitFor();
    await timeline.getByText("pushed", { exact: true }).nth(1).waitFor();
    const notes = (await readFile(join(attempt.worktree, "notes.txt"), "utf8")).trim().split("\n");
    expect(notes[0]).toBe("First, then wait");
    expect(notes.slice(1).sort()).toEqual(["Do this now", "Second thing"]);

    await appendFile(join(attempt.worktree, "README.md"), "By hand.\n");
    // The person comes back from an editor beside the page. Git is asked once, however many parts show the
    // answer; the look after the run's end may still come.
    const looks: string[] = [];
    page.on("request", (request) => request.url().includes("look=true") && looks.push(request.url()));
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    const mine = page.getByRole("form", { name: "You changed 1 file in the worktree" });
    await mine.getByText("README.md").waitFor();
    expect(looks.length).toBeLessThanOrEqual(2);
    await page.keyboard.press("Escape");
    // In the terminal every key is the shell's. Leaving it looks at what was changed there.
    await page.keyboard.press("`");
    const terminal = page.getByRole("region", { name: "Terminal" });
    await terminal.locator("textarea").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("git commit; echo By hand. > hand.txt");
    await page.keyboard.press("Enter");
    await terminal.getByText("Tazuna alone writes git").first().waitFor();
    await waitFor("the file", () => existsSync(join(attempt.worktree, "hand.txt")));
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "attempt-terminal");
    await page.keyboard.press("Control+`");
    const both = page.getByRole("form", { name: "You changed 2 files in the worktree" });
    await both.getByText("hand.txt").waitFor();
    await terminal.getByRole("button", { name: "Close the terminal" }).click();
    await terminal.waitFor({ state: "detached" });
    await page.keyboard.press(".");
    await tabTo(page, page.getByRole("menuitem", { name: "Commit my edits" }), "ArrowDown");
    await page.keyboard.press("Enter");
    await timeline.getByRole("heading", { name: "Your edits" }).waitFor();
    await both.waitFor({ state: "detached" });
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a red check is read, tried on the base and sent to the agent by keys${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent(
      "writer",
      'case "$TAZUNA_INSTRUCTION" in *mend*) echo fine > x;; *) echo x > x;; esac',
    );
    await product.configure({
      checks: [{ name: "unit", run: "if grep x x; then echo expected 429; exit 3; fi", required: true }],
    });
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const check = page.locator("[data-check=unit]");
    await check.getByText("expected 429").waitFor();
    await tabTo(page, check.getByRole("button", { name: "Run it on the base" }));
    await page.keyboard.press("Enter");
    await check.getByText("It passes on the base: this attempt broke it.").waitFor();
    expect(await check.locator(":focus").count()).toBe(1);
    await tabTo(page, check.getByRole("button", { name: "Send to agent" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    const box = page.getByRole("textbox", { name: "Message to the agent" });
    await box.and(page.locator(":focus")).waitFor();
    expect(await box.inputValue()).toContain("expected 429");
    await page.keyboard.press("Enter");
    await page.getByRole("feed").getByText("pushed", { exact: true }).waitFor();
    expect(room.faults).toEqual([]);
  },
);
