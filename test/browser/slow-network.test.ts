/** On a slow network, which loses some answers, nothing is done twice, and nothing that was typed is lost. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { askingAgent } from "../helpers/asking-agent.ts";
import { BROWSER, openControlRoom, settled } from "../helpers/browser.ts";
import { held, loseAnswer } from "../helpers/held-requests.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { NOTE_WRITER } from "../helpers/note-writer.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const box = (page: Page) => page.getByRole("textbox", { name: "Message to the agent" });
const toFleet = async (page: Page) => {
  await page.getByRole("navigation").getByRole("link", { name: "Fleet" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
};
/** Of an answer that came: the page has taken it. */
const answered = (page: Page, path: RegExp) =>
  page.waitForResponse((answer) => path.test(answer.url()) && answer.request().method() !== "GET");

test.skipIf(BROWSER.missing)(
  deep(
    `words whose answer was lost become one run, and who left a dialog is told what came of it${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", NOTE_WRITER);
    const { attempt } = await ask(product, ["run", "First", "--agent", "writer"]);
    await ask(product, ["continue", attempt.id, "Then wait", "--detach"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    await loseAnswer(page, { method: "POST", path: /\/runs$/ });
    await box(page).fill("Third");
    await box(page).press("Enter");
    await page.getByText("Try again when the connection is back.").first().waitFor();
    expect(await box(page).inputValue()).toBe("Third");
    await box(page).press("Enter");
    await page.getByText("Queued. It begins when this run ends.").waitFor();
    const { queue } = (await product.tazuna(["queue", attempt.id, "--json"])).json<{
      readonly queue: readonly unknown[];
    }>();
    expect(queue).toHaveLength(1);

    // Who closed the dialog is not led to the new attempt.
    const fork = await held(page, { method: "POST", path: /\/fork$/ });
    await page.getByRole("button", { name: "Actions of run 1" }).click();
    await page.getByRole("menuitem", { name: "Go on from here in a new attempt…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Start" }).click();
    await fork.some();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await fork.go();
    await page.getByText("A new attempt has begun beside this one.").waitFor();
    expect(page.url()).toContain(attempt.id);

    // The way back is told though the dialog is gone.
    const cancel = await held(page, { method: "POST", path: /\/cancel$/ });
    await page.getByRole("button", { name: "More acts" }).click();
    await page.getByRole("menuitem", { name: "Cancel this attempt…" }).click();
    await dialog.getByRole("button", { name: "Cancel the attempt" }).click();
    await cancel.some();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await cancel.go();
    await page.getByText("The attempt is cancelled.").waitFor();
    // The button stands for a moment after the first press.
    let restores = 0;
    page.on("request", (request) => {
      if (/\/restore$/.test(request.url())) restores++;
    });
    const restored = answered(page, /\/restore$/);
    await page.getByRole("button", { name: "Undo" }).dblclick();
    await restored;
    expect(restores).toBe(1);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a comment that is kept twice is one, and the next is written while it is kept${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "seq 9 > a.txt");
    const { attempt } = await ask(product, ["run", "Count", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}/review` });
    const { page } = room;
    const open = (line: number) =>
      page.getByRole("button", { name: `Comment on line ${line}`, exact: true }).click();
    const kept = await held(page, { method: "POST", path: /\/comments$/ });
    await open(1);
    await page.keyboard.type("First");
    await page.keyboard.press("Control+Enter");
    await kept.some();
    await page.keyboard.press("Control+Enter");
    await open(5);
    await page.keyboard.type("Second");
    const second = page.getByRole("textbox", { name: /^Comment on a\.txt:5/ });
    expect(await second.inputValue()).toBe("Second");
    expect(kept.count()).toBe(1);
    await kept.go();
    const drafts = page.locator(".diff [data-comment-id]");
    await drafts.getByText("First").waitFor();
    expect(await second.inputValue()).toBe("Second");
    // Nothing is sent without the draft that is being kept.
    const runs = await held(page, { method: "POST", path: /\/runs$/ });
    const late = await held(page, { method: "POST", path: /\/comments$/ });
    await second.press("Control+Enter");
    await late.some();
    await page.getByRole("button", { name: /as one run/ }).click({ force: true });
    await late.go();
    await drafts.getByText("Second").waitFor();
    expect([runs.count(), await drafts.count()]).toEqual([0, 2]);

    // Marks of a file do not overtake each other.
    const mark = page.getByRole("checkbox", { name: "Viewed: a.txt" }).first();
    const marks = await held(page, { method: "PUT", path: /\/viewed$/ });
    await mark.check();
    await marks.some();
    await mark.uncheck();
    expect(marks.count()).toBe(1);
    let answers = 0;
    page.on("response", (response) => {
      if (response.request().method() === "PUT" && response.url().endsWith("/viewed")) answers += 1;
    });
    await marks.go();
    await waitFor("both answers", () => answers === 2);
    await page.reload();
    await mark.waitFor();
    expect(await mark.isChecked()).toBe(false);

    // What is sent by its key while a draft is kept goes once that is kept, and with it.
    const last = await held(page, { method: "POST", path: /\/comments$/ });
    await open(7);
    await page.keyboard.type("Third");
    await page.keyboard.press("Control+Enter");
    await last.some();
    await page.getByRole("textbox", { name: /^Comment on a\.txt:7/ }).blur();
    await page.keyboard.press("Control+Enter");
    expect(runs.count()).toBe(0);
    await last.go();
    await runs.some();
    const [sent] = runs.bodies();
    expect(sent).toMatchObject({ comments: [expect.any(String), expect.any(String), expect.any(String)] });
    await runs.go();
    await page.getByText("3 comments sent.").waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a form is kept before its draft is read, and Enter takes no file of an older answer${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.tazuna(["repo", "add", product.repository]);
    await using room = await openControlRoom(product);
    const { page } = room;
    await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const draft = await held(page, { method: "GET", path: /\/drafts\/task$/ });
    await page.keyboard.press("n");
    const issue = page.getByRole("textbox", { name: "Issue", exact: true });
    await issue.fill("Greet people");
    await draft.some();
    const saved = answered(page, /\/drafts\/task$/);
    await toFleet(page);
    await saved;
    draft.stop();
    await page.keyboard.press("n");
    await waitFor("the form to be back", async () => (await issue.inputValue()) === "Greet people");
    await draft.go();

    await issue.press("End");
    await issue.pressSequentially(" as @");
    await page.getByRole("option").first().waitFor();
    const files = await held(page, { method: "GET", path: /\/files\?/ });
    await issue.pressSequentially("nowhere.md");
    await files.some();
    await issue.press("Tab");
    expect(await issue.inputValue()).toBe("Greet people as @nowhere.md");
    await files.go();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a card begins a run once, and its words make room for those that come next${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "echo x >> x");
    await product.agent("broken", "exit 3");
    const hook = join(product.origin, "hooks/pre-receive");
    await writeFile(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await ask(product, ["run", "Write x", "--agent", "writer"]);
    const { attempt } = await ask(product, ["run", "Break", "--agent", "broken"]);
    await using room = await openControlRoom(product);
    const { page } = room;
    const tasks = await held(page, { method: "GET", path: /\/tasks\/[^/]+$/ });
    const again = page.getByRole("button", { name: "Push again" });
    const retried = answered(page, /\/retry$/);
    await again.click();
    await retried;
    // Its task is still being read.
    await again.waitFor({ state: "detached", timeout: 5_000 });
    await tasks.go();
    await again.waitFor();

    const card = page.locator("[data-card]", { hasText: "Break" });
    await card.locator("[data-act=write]").click();
    await card.getByRole("textbox").fill("Try harder");
    const runs = await held(page, { method: "POST", path: /\/runs$/ });
    await page.keyboard.press("Control+Enter");
    await runs.some();
    await card.getByRole("link", { name: "Break" }).first().click();
    expect(await box(page).inputValue()).toBe("");
    await box(page).fill("Then rest");
    const sent = answered(page, /\/runs$/);
    await runs.go();
    await sent;
    await page.locator("[data-timeline] h3", { hasText: "Run 2" }).waitFor();
    expect(await box(page).inputValue()).toBe("Then rest");
    expect(page.url()).toContain(attempt.id);
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an answer that comes too late, and a value that is typed meanwhile, are not lost${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const asking = await askingAgent(product);
    const { attempt, run } = await asking.begin("ask npm install left-pad");
    await using room = await openControlRoom(product, { path: `/attempts/${attempt.id}` });
    const { page } = room;
    await page.locator("main [data-act=write]").click();
    const answer = page.locator("main [data-card] textarea");
    await answer.fill("Use pnpm");
    expect((await product.tazuna(["answer", run.id, "--deny"])).code).toBe(0);
    await answer.waitFor({ state: "detached" });
    await waitFor("the words to be saved", async () => (await box(page).inputValue()) === "Use pnpm");

    await page.goto(`${room.url}/settings`);
    const change = await held(page, { method: "PATCH", path: /\/settings$/ });
    // Parts that come late move the ones below them.
    await settled(page);
    await page.getByRole("button", { name: "Change base", exact: true }).click();
    await page.getByRole("textbox", { name: "Value of base" }).fill("main");
    await page.keyboard.press("Enter");
    await change.some();
    await page.getByRole("button", { name: "Change remote", exact: true }).click();
    const other = page.getByRole("textbox", { name: "Value of remote" });
    await other.fill("upstream");
    await change.go();
    await page.getByText(/^base is now/).waitFor();
    expect(await other.inputValue()).toBe("upstream");
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a press counts if what comes late moves its button away from under the pointer${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product);
    const { page } = room;
    const browsers = await held(page, { method: "GET", path: /\/browsers$/ });
    await page.goto(`${room.url}/settings`);
    await browsers.some();
    const tokens = page.locator("#tokens");
    const name = tokens.getByRole("textbox");
    const button = tokens.getByRole("button", { name: "New token" });
    const place = async () => (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { x, y, width, height } = await place();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await browsers.go();
    await waitFor("the button to move", async () => (await place()).y > y + height);
    await page.mouse.up();
    await name.first().waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`on a phone, who left before the next question was found is not led to it${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    const asking = await askingAgent(product);
    await asking.begin("ask npm install left-pad");
    await using room = await openControlRoom(product, { phone: true });
    const { page } = room;
    await page.getByRole("article").first().getByRole("link").first().tap();
    // The card on the board has the same button, which leads nobody on.
    await box(page).waitFor();
    const deny = page.getByRole("button", { name: "Deny" });
    await deny.waitFor();
    const board = await held(page, { method: "GET", path: /\/tasks\?/ });
    await deny.tap();
    await board.some();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    const read = page.waitForResponse(/\/tasks\?/);
    await board.go();
    await read;
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(new URL(page.url()).search).toBe("");
    expect(room.faults).toEqual([]);
  },
);
