/** What a person typed stays until it was sent, is sent once, and is not asked for again (design: flows, section 4). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { BROWSER, openControlRoom } from "../helpers/browser.ts";
import { forgeWorld } from "../helpers/forge-world.ts";
import { held } from "../helpers/held-requests.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { NOTE_WRITER } from "../helpers/note-writer.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const box = (page: Page) => page.getByRole("textbox", { name: "Message to the agent" });

test.skipIf(BROWSER.missing)(
  deep(`what stands in the box is not replaced by what Tazuna offers, nor lost by a reload${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo x > x");
    await product.configure({ checks: [{ name: "unit", run: "echo expected 429; exit 3", required: true }] });
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    const send = page.locator("[data-check=unit]").getByRole("button", { name: "Send to agent" });
    await send.waitFor();
    await box(page).fill("Rename it, too.");
    await send.click();
    expect(await box(page).inputValue()).toStartWith("Rename it, too.\n\nFind why");
    expect(await box(page).inputValue()).toContain("expected 429");
    await page.reload();
    await send.waitFor();
    expect(await box(page).inputValue()).toStartWith("Rename it, too.\n\nFind why");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`the words of a queued run are kept if their change is refused or the run goes${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", NOTE_WRITER);
    const { attempt } = await ask(product, ["run", "First, then wait", "--agent", "writer", "--detach"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    await page.getByRole("feed").getByText("I wrote a note.").waitFor();
    await box(page).fill("Second");
    await box(page).press("Enter");
    const queue = page.getByRole("list", { name: "Waiting" });
    await queue.getByRole("button", { name: "Edit" }).click();
    const words = queue.getByRole("textbox");
    const change = await held(page, { method: "PATCH", path: /\/api\/v1\/runs\/[^/]+$/ });
    await words.fill("Second thing");
    await words.press("Enter");
    await change.some();
    await change.fail();
    await page.getByText("Try again when the connection is back.").first().waitFor();
    expect(await words.inputValue()).toBe("Second thing");
    await words.fill("Second thing, now");
    const { stdout } = await product.tazuna(["queue", attempt.id, "--json"]);
    const [queued] = (JSON.parse(stdout) as { readonly queue: readonly { readonly id: string }[] }).queue;
    await product.tazuna(["queue", attempt.id, "remove", queued?.id ?? ""]);
    await queue.waitFor({ state: "detached" });
    expect(await box(page).inputValue()).toBe("Second thing, now");
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a dialog of a run keeps its words, and stays however many lines come below${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const go = join(product.home, "go");
    const lines = `while ! test -e '${go}'; do sleep 0.1; done; seq 300; exec sleep 900`;
    await product.agent("writer", `echo x >> x; case "$TAZUNA_INSTRUCTION" in *count*) ${lines};; esac`);
    const { attempt } = await ask(product, ["run", "Write x", "--agent", "writer"]);
    await ask(product, ["continue", attempt.id, "count", "--detach"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}?talk=raw` });
    const { page } = room;
    // Beside an open dialog, the rest of the page is hidden from readers.
    const head = (run: number) => page.locator("[data-timeline] h3", { hasText: `Run ${run}` });
    await head(2).waitFor();
    const open = async () => {
      await page.getByRole("button", { name: "Actions of run 1" }).click();
      await page.getByRole("menuitem", { name: "Go on from here in a new attempt…" }).click();
    };
    await open();
    const words = page.getByRole("dialog").getByRole("textbox");
    await words.fill("Write y, too");
    // A press beside it closes it.
    await page.mouse.click(5, 5);
    await words.waitFor({ state: "detached" });
    await open();
    expect(await words.inputValue()).toBe("Write y, too");
    await writeFile(go, "");
    await head(1).waitFor({ state: "detached" });
    expect(await words.inputValue()).toBe("Write y, too");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a review loses no words and no marks, and shows nothing again that was sent${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "seq 150 > a.txt; seq 150 > m.txt; seq 150 > z.txt");
    const { attempt } = await ask(product, ["run", "Count", "--agent", "writer"]);
    const path = `/attempts/${attempt.id}/review`;
    await using room = await openControlRoom(product, { path });
    const { page } = room;
    const files = page.getByRole("navigation", { name: "Files" });

    // The mark that is refused goes; the other one stays.
    const marks = await held(page, { method: "PUT", path: /\/viewed$/ });
    await files.getByRole("checkbox", { name: "Viewed: a.txt" }).check();
    await marks.some();
    marks.stop();
    const renewed = page.waitForResponse(
      (answer) => answer.url().endsWith("/viewed") && answer.request().method() === "GET",
    );
    await files.getByRole("checkbox", { name: "Viewed: z.txt" }).check();
    await renewed;
    await marks.fail();
    await page.getByText("Try again when the connection is back.").first().waitFor();
    await waitFor("the mark to go", async () => {
      return !(await files.getByRole("checkbox", { name: "Viewed: a.txt" }).isChecked());
    });
    expect(await files.getByRole("checkbox", { name: "Viewed: z.txt" }).isChecked()).toBe(true);

    // A draft that is being changed is there when its file comes into sight again.
    const draft = page.locator(".diff [data-comment-id]");
    await page
      .getByRole("region", { name: "a.txt" })
      .getByRole("button", { name: "Comment on line 1", exact: true })
      .click();
    await page.keyboard.type("First");
    await page.keyboard.press("Control+Enter");
    await draft.getByRole("button", { name: "Edit" }).click();
    const edited = page.getByRole("textbox", { name: "Edit the comment" });
    expect(await edited.inputValue()).toBe("First");
    await edited.press("End");
    await page.keyboard.type(", and more");
    await files.getByRole("button", { name: "z.txt" }).click();
    await edited.waitFor({ state: "detached" });
    await files.getByRole("button", { name: "a.txt" }).click();
    await edited.waitFor();
    expect(await edited.inputValue()).toBe("First, and more");
    await edited.press("Control+Enter");
    await draft.getByText("First, and more").waitFor();

    // Sent, though the screen was left before the answer.
    const whole = page.getByRole("textbox", { name: "Anything for the whole change?" });
    await whole.fill("Count on");
    const sending = await held(page, { method: "POST", path: /\/runs$/ });
    await page.getByRole("button", { name: /as one run/ }).click();
    await sending.some();
    await page.getByRole("navigation").getByRole("link", { name: "Fleet" }).first().click();
    await whole.waitFor({ state: "detached" });
    await Promise.all([page.waitForResponse(/\/runs$/), sending.go()]);
    await page.getByText(/sent\.$/).waitFor();
    await page.goto(room.url + path);
    await whole.waitFor();
    expect(await whole.inputValue()).toBe("");
  },
);

test.skipIf(BROWSER.missing)(
  deep(`words for the way out that could not be kept are there after a reload, and kept then${BROWSER.why}`),
  async () => {
    await using world = await forgeWorld();
    const { product } = world;
    await product.agent("linker", "ln -s /etc out");
    const { attempt } = await ask(product, ["run", "Link", "--agent", "linker"]);
    const other = await ask(product, ["run", "Say hello", "--agent", "editor"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}/ship` });
    const { page } = room;
    const boxes = [
      { path: `/attempts/${attempt.id}/ship`, box: "The message of the commit", words: "Link it, please" },
      { path: `/attempts/${other.attempt.id}/ship`, box: "Title", words: "Say hello to all" },
    ];
    const draft = /\/draft$/;
    const refuse = (route: Route) =>
      route.request().method() === "PATCH" ? route.abort() : route.fallback();
    for (const { path, box: name, words } of boxes) {
      await page.goto(room.url + path);
      const typed = page.getByRole("textbox", { name });
      await page.route(draft, refuse);
      await typed.fill(words);
      await typed.blur();
      await page.getByText("Try again when the connection is back.").first().waitFor();
      // Nor does it get there when the page goes.
      await page.reload();
      await typed.waitFor();
      expect(await typed.inputValue()).toBe(words);
      await page.getByText("Try again when the connection is back.").first().waitFor();
      await page.unroute(draft, refuse);
      await typed.focus();
      await typed.blur();
      await page.getByText("Kept as a draft.").waitFor();
      // Now the server has them, and this tab holds them no more.
      await page.evaluate("sessionStorage.clear()");
      await page.reload();
      await waitFor("the words to be back", async () => (await typed.inputValue()) === words);
    }

    // Nor are they lost to a person who leaves before the pull request is refused.
    const title = page.getByRole("textbox", { name: "Title" });
    const opening = await held(page, { method: "POST", path: /\/pull-request$/ });
    await title.fill("Say hello to everybody");
    await title.press("Control+Enter");
    await opening.some();
    await page.getByRole("navigation").getByRole("link", { name: "Fleet" }).first().click();
    await title.waitFor({ state: "detached" });
    await Promise.all([page.waitForEvent("requestfailed"), opening.fail()]);
    await page.goBack();
    await waitFor(
      "the title to be back",
      async () => (await title.inputValue()) === "Say hello to everybody",
    );
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a choice keeps its reason, leads nobody away, and one key begins one run${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("anna", "echo zwei > hello.txt");
    await product.agent("bert", "echo deux > hello.txt");
    const { document } = await ask(product, ["run", "Count", "--agent", "anna", "--agent", "bert"]);
    const other = await ask(product, ["run", "Count otherwise", "--agent", "bert"]);
    await using room = await openControlRoom(product, { path: `/tasks/${document.task.id}` });
    const { page } = room;
    const reason = page.getByRole("textbox", { name: "Because" });
    await reason.fill("It is German");
    await page.keyboard.press("Escape");
    await page.keyboard.press("b");
    await page.waitForURL(/names=hidden/);
    await page.getByText("hidden", { exact: true }).first().waitFor();
    expect(await reason.inputValue()).toBe("It is German");
    await page.keyboard.press("b");
    await page.waitForURL((url) => !url.search.includes("names"));

    const choice = await held(page, { method: "POST", path: /\/decisions$/ });
    await reason.press("Control+Enter");
    await choice.some();
    await page.getByRole("navigation").getByRole("link", { name: "Fleet" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    await choice.go();
    await page.getByText("is chosen.").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");

    // The base moves by another task: what was ready conflicts now.
    const looked = page.waitForResponse(/\/situation/);
    await page.goto(`${room.url}/attempts/${other.attempt.id}/ship`);
    await looked;
    await page.getByText("Ready to merge", { exact: true }).waitFor();
    const [anna] = document.attempts;
    expect((await product.tazuna(["merge", anna?.id ?? "", "--here"])).code).toBe(0);
    await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
    await page.evaluate(`fetch("/api/v1/repositories/${document.task.repository.id}/fetch", { method: "POST",
      headers: { "content-type": "application/json" }, body: "{}" })`);
    await page.getByText("it conflicts with its base in 1 file").first().waitFor();

    const runs = await held(page, { method: "POST", path: /\/runs$/ });
    await page.keyboard.press("U");
    await page.keyboard.press("U");
    await runs.some();
    expect(runs.count()).toBe(1);
    await runs.fail();
  },
);
