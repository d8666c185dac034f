/** Puts a finished worktree away in Storage by keyboard, and brings it back (design: flows, section 5). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { LOOKS } from "../helpers/spoken.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

for (const look of drawn(LOOKS, "storage"))
  test.skipIf(BROWSER.missing)(
    deep(`a worktree says that it may go, moves to the trash, and is restored, ${look.in}${BROWSER.why}`),
    async () => {
      await using product = await startProduct();
      await product.agent("writer", "echo more >> README.md; echo Done.");
      await product.tazuna(["run", "Write more", "--agent", "writer"]);
      // The processes of a run may live a moment longer than the run.
      await waitFor("nothing to work in the worktree", async () => {
        const would = (await product.tazuna(["clean", "--json"])).json<{
          readonly removed: readonly unknown[];
        }>();
        return would.removed.length === 1;
      });
      await using room = await openControlRoom(product, { ...look, path: "/storage" });
      const { page, say } = room;
      const rows = page.locator('tr[data-row]:not([data-row^="log "])');
      const row = rows.filter({ hasText: "Write more" });
      await row.getByText(say.part("May go")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      if (look.isCut) await room.cut();
      await page.getByText(/1 worktree, .* to the trash|ワークツリー 1 件.*ゴミ箱へ/).waitFor();
      await keepShot(page, `storage-${look.language}`);
      await page.keyboard.press("Control+Backspace");
      await page.getByText(say.part("1 worktree moved to the trash")).waitFor();
      await page.getByText(say.part("No worktree is on this disk.")).waitFor();

      await page.getByRole("button", { name: say.part("Empty trash…") }).click();
      await page.getByText(/1 worktree, .* deleted for good|ワークツリー 1 件.*完全に/).waitFor();
      expect(await page.locator(":focus").textContent()).toMatch(say.whole("Cancel"));
      await page.keyboard.press("Enter");

      await page.locator("[data-act=restore]").waitFor();
      await rows.focus();
      await page.keyboard.press("z");
      await page.getByText(say.part("1 worktree restored")).waitFor();
      await page.getByText(say.part("The trash is empty.")).waitFor();
      await row.getByText(say.part("May go")).waitFor();

      // What its agent printed goes for good, at the second press.
      const log = page.locator('tr[data-row^="log "]');
      await log.getByRole("button").click();
      await log.getByRole("button").click();
      await log.waitFor({ state: "detached" });
      expect(room.faults).toEqual([]);
    },
  );

test.skipIf(BROWSER.missing)(
  deep(
    `only what is shown is chosen, and what is told before the trash is emptied is what lies in it${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("anna", "echo x > x");
    await product.agent("bert", "echo y > y");
    const { attempts } = await ask(product, ["run", "Write x", "--agent", "anna", "--agent", "bert"]);
    const [first, second] = attempts.map(({ id }) => id);
    // The processes of a run may live a moment longer than the run.
    await waitFor("nothing to work in the worktrees", async () => {
      const would = (await product.tazuna(["clean", "--json"])).json<{
        readonly removed: readonly unknown[];
      }>();
      return would.removed.length === 2;
    });
    await using room = await openControlRoom(product, { path: "/storage" });
    const { page } = room;
    const mayGo = page
      .locator("tr", { hasText: "May go" })
      .and(page.locator('[data-row]:not([data-row^="log "])'));
    await waitFor("both to be free to go", async () => (await mayGo.count()) === 2);
    await page.getByPlaceholder("Filter").fill("bert");
    await waitFor("the other one to be hidden", async () => (await mayGo.count()) === 1);
    await page.getByRole("button", { name: "Select all that may go" }).click();
    await page.getByText(/^1 worktree, .* to the trash/).waitFor();

    await product.tazuna(["cancel", first ?? ""]);
    await page.getByRole("button", { name: "Empty trash…" }).click();
    await page.getByText(/^1 worktree, .* is deleted for good/).waitFor();
    await product.tazuna(["cancel", second ?? ""]);
    await page.getByText(/^2 worktrees, .* are deleted for good/).waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`more than go at once are moved in parts, and the rest stays selected${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("anna", "echo x > x");
    await ask(product, ["run", "Write x", "--agent", "anna"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    // The disk has one worktree: its row stands for many, and the server is not asked to move them.
    const gone = new Set<string>();
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/storage(\?|$)/, async (route) => {
      await mayAnswer;
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly items: readonly Record<string, unknown>[] };
      const many = Array.from({ length: 230 }, (_, index) => ({
        ...body.items[0],
        attempt: `many-${index}`,
        path: `/many/${index}`,
        verdict: "may_go",
      }));
      const items = many.filter(({ attempt }) => !gone.has(attempt));
      await route.fulfill({ response: answer, json: { ...body, items, next: null } });
    });
    const asked: number[] = [];
    await page.route(/\/api\/v1\/clean$/, async (route) => {
      const { ids } = route.request().postDataJSON() as { readonly ids: readonly string[] };
      asked.push(ids.length);
      for (const id of ids) gone.add(id);
      const removed = ids.map((id) => ({ id, bytes: 1, reason: "may go" }));
      await route.fulfill({ json: { removed, kept: [] } });
    });
    await page.goto(`${room.url}/storage`);
    // As long as nothing is read, a press would choose nothing and be lost.
    const all = page.getByRole("button", { name: "Select all that may go" });
    await all.and(page.locator("[aria-disabled=true]")).waitFor();
    answerNow();
    await all.click();
    await page.getByRole("button", { name: "Move 230 to the trash" }).click();
    await page.getByText("200 worktrees moved to the trash").waitFor();
    await page.getByText("30 more are still selected: only 200 go at once.").waitFor();
    await page.getByRole("button", { name: "Move 30 to the trash" }).click();
    await page.getByText("30 worktrees moved to the trash").waitFor();
    expect(asked).toEqual([200, 30]);
  },
);
