/** Brings work home: past the gate with a reason, into a checked-out branch, and through a forge (design: flows, section 2). */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { forgeWorld } from "../helpers/forge-world.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** Of the right shape, and nobody's. */
const KEY = `ghp_${"x7Kq2LmZ9vRt4WcB8nYs1DfG6hJp3QaEoUiT"}`;

const show = async (product: Product, id: string) =>
  (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();

const stateOf = (product: Product, id: string, state: AttemptAlone["state"]) =>
  waitFor(`the attempt to be ${state}`, async () => (await show(product, id)).state === state, {
    withinMs: 120_000,
  });

test.skipIf(BROWSER.missing)(
  deep(
    `a finding of the gate is told with its place, allowed with a reason, and the work merged where it is checked out${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("leaky", `mkdir -p config; echo 'key = "${KEY}"' > config/dev.ts; ln -s /etc out`);
    const { attempt } = await ask(product, ["run", "Add a config", "--agent", "leaky"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}/ship` });
    const { page } = room;
    const gate = page.getByRole("region", { name: "Gate" });
    await gate.getByRole("link", { name: "config/dev.ts:1" }).waitFor();
    expect(await page.getByText(KEY).count()).toBe(0);
    await page.getByText("the gate stopped the commit; nothing is committed.").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "ship-gate");
    // Numbers go to the steps, and `j` and `k` from one to the next.
    await page.keyboard.press("3");
    await page.locator("[data-step=message]:focus").waitFor();
    await page.keyboard.press("k");
    await page.locator("[data-step=checks]:focus").waitFor();
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Start again from the new base" }).waitFor();
    await page.keyboard.press("Escape");
    // The suggested step is to ask the agent; its words name the place.
    await page.keyboard.press("a");
    const words = page.getByRole("textbox", { name: "What the agent is to do" });
    expect(await words.inputValue()).toContain("config/dev.ts:1 (credential)");
    await page.getByRole("button", { name: "Cancel" }).click();
    // The key of the suggested act stands on one button alone.
    expect(await page.locator("main kbd", { hasText: /^a$/ }).count()).toBe(1);
    // The link is allowed and taken back, then left out; the message is the person's own.
    const link = gate.getByRole("listitem").filter({ hasText: "out is a symbolic link" }).first();
    const dialog = page.getByRole("dialog");
    await link.getByRole("button", { name: "Override…" }).click();
    await dialog.getByLabel("Because").fill("It is a link of a test");
    await dialog.getByRole("button", { name: "Allow and publish" }).click();
    await gate.getByText("“It is a link of a test”").waitFor();
    await gate.getByRole("button", { name: "Take back" }).click();
    await gate.getByText(/taken back by/).waitFor();
    // It pushes the rest.
    await link.getByRole("button", { name: "Leave the file out" }).click();
    await link.getByRole("button", { name: "Press again: Leave the file out" }).click();
    await gate.getByText(/left out of the commits by/).waitFor();
    const message = page.getByRole("textbox", { name: "The message of the commit" });
    await message.fill("Add a key of a test");
    await message.blur();
    await page.getByText("Kept as a draft.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "ship-held-back");
    await page.keyboard.press("O");
    await dialog.getByLabel("Because").fill("It is a key of a test");
    const allow = dialog.getByRole("button", { name: "Allow and publish" });
    expect(await allow.getAttribute("aria-disabled")).toBe("true");
    await dialog.getByLabel("Type config/dev.ts to allow it").fill("config/dev.ts");
    expect(await accessibilityFaults(page)).toEqual([]);
    await allow.click();
    await stateOf(product, attempt.id, "pushed");
    await gate.getByText("“It is a key of a test”").waitFor();
    await page
      .getByText(/^Add a key of a test/)
      .first()
      .waitFor();
    const pushed = (await show(product, attempt.id)).commit ?? "";
    expect(await product.sandbox.git(product.origin, ["ls-tree", "-r", "--name-only", pushed])).not.toContain(
      "out",
    );
    // The base is merged in at a key; it has not moved, so nothing comes of it.
    await page.keyboard.press("U");
    await page.getByText("The base is being merged into the branch.").waitFor();
    await waitFor("that run to end", async () =>
      (await show(product, attempt.id)).runs.every(({ ended_at }) => ended_at !== null),
    );
    // The target is checked out: nothing happens without a person who says so.
    await page.getByText("Ready to merge", { exact: true }).waitFor();
    await page.keyboard.press("M");
    await page.keyboard.press("M");
    const problem = page.getByRole("alert");
    await problem
      .getByText(/^git -C .* merge --no-ff/)
      .first()
      .waitFor();
    await problem.getByRole("button", { name: "Merge with the files there" }).click();
    await page.getByText("Merged into main").first().waitFor();
    expect((await show(product, attempt.id)).state).toBe("merged");
    await page.getByRole("button", { name: "Put the worktree away" }).click();
    await stateOf(product, attempt.id, "removed");
    expect(room.faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  },
);

for (const look of drawn(LOOKS, "ship"))
  test.skipIf(BROWSER.missing)(
    deep(
      `a pull request is opened, its failed check and its thread go to the agent, and once green it is merged, ${look.in}${BROWSER.why}`,
    ),
    async () => {
      await using world = await forgeWorld();
      const { product, github } = world;
      const { attempt } = await ask(product, ["run", "Say hello", "--agent", "editor"]);
      await using room = await openControlRoom(product, { ...look, path: `/attempts/${attempt.id}/ship` });
      const { page, say } = room;
      const title = page.getByRole("textbox", { name: say.part("Title") });
      await title.fill("Say hello to all");
      await title.blur();
      await page.getByText(say.part("Kept as a draft.")).waitFor();
      // What was typed is there after a reload.
      await page.reload();
      await waitFor("the title to be back", async () => (await title.inputValue()) === "Say hello to all");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("heading", { level: 2, name: say.part("Gate") }).click();
      await page.keyboard.press("a");
      await page.getByRole("heading", { name: "#1 Say hello to all" }).waitFor();
      expect(github.pulls).toMatchObject([{ title: "Say hello to all", draft: false }]);
      const head = (await world.headOf(attempt.branch)) ?? "";
      github.checks.set(head, [{ id: 5, name: "ci", conclusion: "failure", output: "expected 1, got 2" }]);
      github.comments.push({ id: 9, body: "Why hello?", path: "hello.txt", line: 1 });
      if (look.language === "en") await page.getByText("“ci” failed; 1 thread is open.").first().waitFor();
      await page.getByText("Why hello?").waitFor();
      await page.getByText(say.part("attempt 1 of 3")).waitFor();
      await world.configure({ fix_loop: { attempts: 4 } });
      await page.getByText(say.part("attempt 1 of 4")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `ship-forge-dark-${look.language}`);
      // By keys: to the thread, out of the next run and into it, and an answer on the forge.
      const thread = page.getByRole("listitem").filter({ hasText: "Why hello?" });
      await page.keyboard.press("m");
      await page.keyboard.press("+");
      await thread.getByRole("checkbox", { name: say.part("Add to the next run"), checked: false }).waitFor();
      await page.keyboard.press("+");
      await page.keyboard.press("r");
      const answer = page.getByRole("textbox", { name: say.part("Your answer") });
      await answer.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("Because it greets.");
      // What is typed outlives its box; the focus stays with the thread.
      await thread.getByRole("button", { name: say.part("Cancel") }).click();
      await thread.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("r");
      expect(await answer.inputValue()).toBe("Because it greets.");
      await page.keyboard.press("Control+Enter");
      await page.getByText(say.part("Your answer is on the forge.")).waitFor();
      await page
        .locator("section:focus")
        .getByRole("heading", { name: say.part("Threads") })
        .waitFor();
      expect(github.comments.at(-1)).toMatchObject({ body: "<!-- tazuna -->\nBecause it greets." });
      await page.getByRole("button", { name: say.part("Send failure to the agent") }).click();
      const sent = await waitFor("the follow-up to be pushed", async () => {
        const { runs, state } = await show(product, attempt.id);
        return state === "pushed" && runs.length === 2 && runs[1];
      });
      expect(sent.instruction).toContain("expected 1, got 2");
      if (look.isCut) await room.cut();
      github.comments.length = 0;
      await page.getByText(say.whole("Ready to merge")).waitFor({ timeout: 60_000 });
      await page.keyboard.press("M");
      await page.keyboard.press("M");
      await page.getByText(say.part("Merged into main")).first().waitFor();
      expect(github.pulls).toMatchObject([{ state: "closed" }]);
      expect(room.faults).toEqual([]);
    },
  );
