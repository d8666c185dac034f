/** Plays scenes by keyboard alone: ten that wait, going back, an absence, and money with limits (product: 1, 5, 6, 8). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askingAgent } from "../helpers/asking-agent.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { choose, convert, tabTo } from "../helpers/by-keyboard.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

for (const look of drawn(LOOKS, "scenes"))
  test.skipIf(BROWSER.missing)(
    deep(
      `ten that wait are answered in their cards, and the focus goes on by itself, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using product = await startProduct();
      const asking = await askingAgent(product);
      // One that has worked takes its failed sibling along, so both wait until the words of both are typed.
      await using door = gate(product, "mended");
      await product.agent(
        "broken",
        `[ "$TAZUNA_INSTRUCTION" = "Now it works" ] || exit 3; ${door.wait}; echo x > x.txt`,
      );
      await product.configure({ limits: { parallel: 10, per_repository: 10, per_login: 10 } });
      const eight = Array.from({ length: 8 }, () => ["--agent", "agent"]).flat();
      // The command ends when each of them asks.
      await ask(product, ["run", "ask npm install left-pad", ...eight]);
      await ask(product, ["run", "It breaks", "--agent", "broken", "--agent", "broken"]);
      await using room = await openControlRoom(product, look);
      const { page, say } = room;
      const needs = page.locator("[data-column=needs]");
      await needs.locator("[data-card]").nth(9).waitFor();
      // What tells of news is loaded after the cards.
      await waitFor("the tab to count them", async () => (await page.title()).startsWith("(10) "));
      const focused = async (not: string | null) => {
        const card = needs.locator(`[data-card]:focus${not === null ? "" : `:not([data-card="${not}"])`}`);
        return (await card.getAttribute("data-card")) ?? "";
      };
      await page.keyboard.press("j");
      const first = await focused(null);
      await page.keyboard.press("j");
      await focused(first);
      await page.keyboard.press("k");
      let now = await focused(null);
      expect(now).toBe(first);
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `fleet-ten-${look.language}`);
      if (look.isCut) await room.cut();
      const words: Readonly<Record<string, string>> = {
        3: "ask echo goodbye",
        8: "Now it works",
        9: "Now it works",
      };
      for (let index = 0; index < 10; index += 1) {
        const said = words[index];
        const key = said === undefined ? (index % 2 === 0 ? "a" : "d") : "r";
        await page.keyboard.down(key);
        // A key that is held down is one press.
        if (index === 0) await page.keyboard.down(key);
        await page.keyboard.up(key);
        if (said === undefined && index % 2 === 0) {
          // It reaches the network. The first press is forgotten after a while.
          if (index === 0) {
            const again = needs.getByRole("button", { name: say.part("Press again: Approve") });
            await again.waitFor();
            await again.waitFor({ state: "detached" });
            await page.keyboard.press("a");
          }
          await page.keyboard.press("a");
        }
        if (said !== undefined) {
          await needs.locator("textarea:focus").waitFor();
          await page.keyboard.type(said);
          await page.keyboard.press("Control+Enter");
        }
        if (index < 9) now = await focused(now);
      }
      await needs.locator("[data-card]").waitFor({ state: "detached" });
      expect(await page.title()).not.toMatch(/^\(/);
      await door.open();
      // It comes to its sibling, into one card.
      const together = `[data-card]:focus[data-attempts~="${now}"][data-attempts*=" "]`;
      await page.locator(together).waitFor();
      // The words of the fourth came after its denial.
      await waitFor("all answers", async () => (await asking.answers()).length === 9);
      const answers = Object.groupBy(await asking.answers(), (answer) => answer);
      expect(
        Object.fromEntries(Object.entries(answers).map(([answer, all]) => [answer, all?.length])),
      ).toEqual({
        "npm install left-pad: yes": 4,
        "npm install left-pad: no": 4,
        "echo goodbye: yes": 1,
      });

      // "Always here" shows the command before it becomes a rule; the next one needs nobody.
      await ask(product, ["run", "ask npm install left-pad", "--agent", "agent"]);
      const card = needs.locator("[data-card]");
      await card.focus();
      await page.keyboard.press(".");
      await card.getByRole("radio").first().waitFor();
      await card.getByText("npm install", { exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await card.waitFor({ state: "detached" });
      expect((await ask(product, ["run", "ask npm install left-pad", "--agent", "agent"])).code).toBe(0);
      await page.goto(`${room.url}/settings`);
      await page.locator("#rules li").getByRole("button").click();
      await page.locator("#rules li").waitFor({ state: "detached" });
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(
    `an attempt goes back to an earlier run and forward again, and a new one goes on from there${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", 'echo "$TAZUNA_INSTRUCTION" >> notes.txt');
    const { attempt, document } = await ask(product, ["run", "One", "--agent", "writer"]);
    await ask(product, ["continue", attempt.id, "Two"]);
    const notes = (worktree = attempt.worktree) => readFile(join(worktree, "notes.txt"), "utf8");
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const acts = page.getByRole("button", { name: "Actions of run 1" });
    await acts.waitFor();
    await tabTo(page, acts);
    await choose(page, "Put the files back to here");
    await page.getByText("The files are as that run left them.").waitFor();
    expect(await notes()).toBe("One\n");
    expect(await acts.and(page.locator(":focus")).count()).toBe(1);
    await page.keyboard.press("z");
    await waitFor("the files of the second run", async () => (await notes()) === "One\nTwo\n");
    await tabTo(page, acts);
    await choose(page, "Go on from here in a new attempt…");
    const dialog = page.getByRole("dialog");
    expect(await accessibilityFaults(page)).toEqual([]);
    await tabTo(page, dialog.getByRole("textbox"));
    await page.keyboard.type("Three");
    await tabTo(page, dialog.getByRole("button", { name: "Start" }));
    await page.keyboard.press("Enter");
    await page.waitForURL(
      (url) => url.pathname.startsWith("/attempts/") && !url.pathname.endsWith(attempt.id),
    );
    await page.getByRole("feed").getByText("pushed").waitFor();
    const made = await waitFor("the new attempt", async () => {
      const { attempts } = await ask(product, ["show", document.task.id]);
      return attempts.find(({ id }) => page.url().includes(id));
    });
    expect(await notes(made.worktree)).toBe("One\nThree\n");
    expect(await notes()).toBe("One\nTwo\n");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `after an absence the fleet has a line for each attempt that changed, and the tab counts who waits${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", 'echo x > x.txt; [ "$TAZUNA_INSTRUCTION" != "Breaks later" ]');
    await ask(product, ["run", "Seen before", "--agent", "writer"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByText("Seen before").waitFor();
    expect(await page.title()).toBe("Fleet · Tazuna");
    await page.goto("data:text/html,elsewhere");
    await ask(product, ["run", "Works later", "--agent", "writer"]);
    await ask(product, ["run", "Breaks later", "--agent", "writer"]);
    await page.clock.setFixedTime(Date.now() + 10 * 60_000);
    await page.goto(room.url);
    const note = page.getByRole("region", { name: "While you were away" });
    await note.waitFor();
    await settled(page);
    const lines = await note.getByRole("listitem").allInnerTexts();
    expect(lines.map((line) => line.replaceAll(/\s+/g, " ").replace(/ \d\d:\d\d$/, ""))).toEqual([
      "Agent failed Breaks later",
      "First look Works later",
    ]);
    expect(await page.title()).toBe("(1) Fleet · Tazuna");
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "fleet-away");
    await tabTo(page, note.getByRole("button", { name: "I have seen it" }));
    await page.keyboard.press("Enter");
    await note.waitFor({ state: "detached" });
    expect(await page.locator(":focus").count()).toBe(1);
    await page.keyboard.press("g");
    await page.keyboard.press(",");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.locator("[data-card]").first().waitFor();
    expect(await note.count()).toBe(0);
    await page.keyboard.press("/");
    await convert(page, ["に", "にほ", "にほん"], "日本");
    await page.getByText("No attempt matches “日本”.").waitFor();
    expect(await page.getByPlaceholder("Filter").inputValue()).toBe("日本");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `the fleet says what today cost and what a limit holds, and a new task what it will cost${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct({
      env: { ANTHROPIC_API_KEY: "key-of-the-test" },
      timing: { backoffMs: [3_600_000] },
    });
    await replayedClaude(product, "claude", [{ stream: "success-edit.jsonl", before: "date +%N > new.txt" }]);
    await replayedClaude(product, "limited", [{ stream: "error-429.jsonl", code: 1 }]);
    await product.configure({ limits: { parallel: 5, per_repository: 5, per_login: 5 } });
    const five = Array.from({ length: 5 }, () => ["--agent", "claude"]).flat();
    const { attempts } = await ask(product, ["run", "Change it", ...five]);
    const spent = attempts
      .flatMap(({ runs }) => runs)
      .reduce((sum, { usage }) => sum + (usage?.cost_usd ?? 0), 0);
    expect(spent).toBeGreaterThan(0);
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByText(`Today $${spent.toFixed(2)}`).waitFor();
    await page.getByText("Slots 0 of 5 used").or(page.getByText("0 of 5")).first().waitFor();
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Issue", exact: true }).waitFor();
    await page.keyboard.type("Change it again");
    await tabTo(page, page.getByRole("spinbutton", { name: "Attempts of claude", exact: true }));
    await page.keyboard.press("1");
    await page.getByText(/Probably \$[\d.]+ to \$[\d.]+\./).waitFor();
    await keepShot(page, "new-task-cost");
    const refused = await ask(product, ["run", "Refused today", "--agent", "limited", "--detach"]);
    await waitFor("the rate limit", async () => {
      const { run } = await ask(product, ["show", refused.document.task.id]);
      return run.phase === "waiting";
    });
    await page.goto(room.url);
    const queued = page.locator("[data-column=queued]");
    await queued.getByText("Refused today").waitFor();
    await queued.getByText(/^Rate limited until (\d+ \w+ )?\d\d:\d\d/).waitFor();
    await page.getByText(/resets (\d+ \w+ )?\d\d:\d\d/).waitFor();
    await queued.getByRole("button", { name: "Resume now" }).waitFor();
    await keepShot(page, "fleet-limit");
    expect(await accessibilityFaults(page)).toEqual([]);
    await queued.getByRole("button", { name: "Do not resume by itself" }).click();
    await page.getByText("It does not resume by itself").waitFor();
    await queued.getByText("Refused today").waitFor({ state: "detached" });
    expect(room.faults).toEqual([]);
  },
);
