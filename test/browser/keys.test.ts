/** Uses the keys that people seldom see: selection, the menu of a card, panels, own keys; and signs another device in. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

async function widthOf(page: Page, name: string): Promise<number> {
  const handle = page.getByRole("separator", { name });
  const width = Number(await handle.getAttribute("aria-valuenow"));
  return width;
}

test.skipIf(BROWSER.missing)(
  deep(`an attempt is commented, its panels move, and it goes to the trash from the board${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await product.agent("writer", "printf 'one\\ntwo\\n' > note.txt");
    const { attempts } = await ask(product, ["run", "Write a note", "--agent", "writer"]);
    await using room = await openControlRoom(product, { path: `/attempts/${attempts[0]?.id}` });
    const { page } = room;
    await page.getByText("two").waitFor();
    await page.keyboard.press("}");
    await page.locator(".diff-row[data-cursor]").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    const box = page.getByRole("textbox", { name: /note\.txt:2/ });
    await box.fill("Write three");
    await box.press("Control+Enter");
    await page.getByRole("article").getByText("Write three").waitFor();

    const timeline = "Width of the panel “Timeline”";
    expect(await widthOf(page, timeline)).toBe(392);
    await page.getByRole("separator", { name: timeline }).press("Alt+ArrowRight");
    expect(await widthOf(page, timeline)).toBe(408);
    await page.reload();
    await page.getByText("two").waitFor();
    expect(await widthOf(page, timeline)).toBe(408);
    await page.getByRole("separator", { name: timeline }).dblclick();
    expect(await widthOf(page, timeline)).toBe(392);

    await page.goto(room.url);
    await page.getByRole("article", { name: /Write a note/ }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Let another agent review it" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("x");
    await page.getByText("1 attempt is selected.", { exact: false }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("1 attempt is selected.", { exact: false }).waitFor({ state: "detached" });
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Move 1 to the trash" }).waitFor();
    await page.keyboard.press("Control+Backspace");
    await page.getByText("1 worktree moved to the trash").waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`a key is changed, a clash is told, and another browser is signed in by a code${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const keys = page.getByRole("region", { name: "Keys", exact: true });
    await keys.getByRole("button", { name: "Show all keys" }).click();
    const change = keys.getByRole("button", { name: "Change New task" });
    await change.click();
    await page.keyboard.press("j");
    await keys.getByText("That key does “Next” already.").waitFor();
    await keys.getByRole("button", { name: "Leave it" }).click();
    await change.click();
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await keys.getByRole("button", { name: "Reset 1 key" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("n");
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.waitForURL(/\/tasks\/new/);
    await page.goto(`${room.url}/settings`);
    await keys.getByRole("button", { name: "Reset 1 key" }).click();
    await keys.getByRole("button", { name: "Reset 1 key" }).waitFor({ state: "detached" });

    const devices = page.getByRole("region", { name: "Another device" });
    await devices.getByRole("button", { name: "Make a link" }).click();
    await devices.getByText("answers on this machine alone").waitFor();
    const code = await devices.getByText(/^(?:[2-9A-Z]{4}-){2}[2-9A-Z]{4}$/).innerText();
    const other = await page.context().browser()?.newContext();
    const stranger = await other?.newPage();
    await stranger?.goto(room.url);
    await stranger?.getByRole("textbox", { name: /type a code/ }).fill(code.toLowerCase());
    await stranger?.keyboard.press("Enter");
    await stranger?.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(`an access token is made, shown once, and removed by two presses, live in every tab${BROWSER.why}`),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const tokens = page.getByRole("region", { name: "Access tokens" });
    await tokens.waitFor();
    // The frame of the screen stays in its place when a section is brought into sight.
    await page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: "Keys" }).click();
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    expect(await page.evaluate("document.querySelector('main').scrollTop")).toBe(0);
    await tokens.getByRole("button", { name: "New token" }).click();
    await tokens.getByRole("textbox", { name: "Name" }).fill("nightly");
    await tokens.getByRole("combobox", { name: "Scope" }).selectOption("write");
    await tokens.getByText("It may also start agents and steer them.").waitFor();
    await tokens.getByRole("combobox", { name: "Ends after" }).selectOption("30 days");
    await tokens.locator("form").getByRole("button", { name: "New token" }).click();
    const text = tokens.getByText(/^tzt_[\w-]{43}$/);
    const token = await text.innerText();
    expect(await accessibilityFaults(page)).toEqual([]);
    const answer = await fetch(`${room.url}/api/v1/tasks`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await tokens.getByRole("button", { name: "I have it" }).click();
    await text.waitFor({ state: "detached" });
    await tokens.getByText("ends in 29 d").waitFor();

    // A name that is taken is said beside the form.
    await tokens.getByRole("button", { name: "New token" }).click();
    await tokens.getByRole("textbox", { name: "Name" }).fill("nightly");
    await page.keyboard.press("Enter");
    await tokens.getByRole("alert").getByText('Another token has the name "nightly".').waitFor();
    await tokens.getByRole("button", { name: "Cancel" }).click();

    await product.tazuna(["token", "add", "other"]);
    await tokens.getByText("other", { exact: true }).waitFor();
    const row = tokens.getByRole("listitem").filter({ hasText: "nightly" });
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Press again: Remove" }).click();
    await tokens.getByText("nightly", { exact: true }).waitFor({ state: "detached" });
    const after = await fetch(`${room.url}/api/v1/tasks`, { headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
    expect(room.faults.filter((fault) => !/ 409 |409 \(/.test(fault))).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `stopping a card that several attempts share stops all of them, by key and from its menu${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("anna", "sleep 900");
    await product.agent("bert", "sleep 900");
    await product.configure({ limits: { parallel: 8 } });
    await using room = await openControlRoom(product);
    const { page } = room;
    const shared = page.locator("[data-column=working] [data-attempts*=' ']");
    const statesOf = async (task: string) =>
      (await product.tazuna(["show", task, "--json"]))
        .json<TaskDocument>()
        .attempts.map(({ runs }) => runs.at(-1)?.status);
    const stopBy = async (stop: () => Promise<void>) => {
      const { document } = await ask(product, [
        "run",
        "Wait",
        "--agent",
        "anna",
        "--agent",
        "bert",
        "--detach",
      ]);
      await shared.waitFor();
      await shared.focus();
      await stop();
      await waitFor("both to be stopped", async () =>
        (await statesOf(document.task.id)).every((status) => status === "CANCELED"),
      );
    };
    await stopBy(() => page.keyboard.press("s"));
    await shared.waitFor({ state: "detached" });
    await stopBy(async () => {
      await page.keyboard.press(".");
      await page.getByRole("menuitem", { name: /^Stop/ }).click();
    });
    expect(room.faults).toEqual([]);
  },
);

test.skipIf(BROWSER.missing)(
  deep(
    `the browsers that are signed in are listed, and signed out by two presses, in both languages${BROWSER.why}`,
  ),
  async () => {
    await using product = await startProduct();
    await using room = await openControlRoom(product, { path: "/settings" });
    const { page } = room;
    const list = page.getByRole("region", { name: "Signed-in browsers" });
    const rows = list.getByRole("listitem");
    const own = rows.filter({ hasText: "this browser" });
    await own.getByText("Chrome on Linux").waitFor();
    await own.getByText("ends in 29 d").waitFor();
    expect(await list.getByRole("button", { name: "Sign out all others" }).count()).toBe(0);

    const devices = page.getByRole("region", { name: "Another device" });
    const visit = async (userAgent: string) => {
      const made = page.waitForResponse((response) => response.url().endsWith("/links"));
      await devices.getByRole("button", { name: /^Make (a link|another one)$/ }).click();
      const { url: link } = (await (await made).json()) as { readonly url: string };
      const context = await page.context().browser()?.newContext({ userAgent });
      const visitor = await context?.newPage();
      if (visitor === undefined) throw new Error("no other browser");
      await visitor.goto(link);
      await visitor.getByRole("heading", { level: 1, name: "Fleet" }).waitFor();
      return visitor;
    };
    const phone = await visit(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
    );
    await rows.filter({ hasText: "Safari on iPhone" }).waitFor();
    const laptop = await visit("Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0");
    const odd = await visit("<b>An odd one</b>");
    await rows.filter({ hasText: "<b>An odd one</b>" }).waitFor();
    expect(await rows.count()).toBe(4);
    expect(await accessibilityFaults(page)).toEqual([]);
    await list.scrollIntoViewIfNeeded();
    await keepShot(page, "signed-in-browsers");

    const signOut = rows.filter({ hasText: "Safari on iPhone" }).getByRole("button");
    await signOut.click();
    await list.getByRole("button", { name: "Press again: Sign out" }).click();
    await page.getByText("Safari on iPhone is signed out").waitFor();
    await rows.filter({ hasText: "Safari on iPhone" }).waitFor({ state: "detached" });
    const isAsked = (visitor: typeof page) => visitor.getByRole("textbox", { name: /type a code/ }).waitFor();
    await isAsked(phone);
    await list.getByRole("button", { name: "Sign out all others" }).click();
    await list.getByRole("button", { name: "Press again: Sign out all others" }).click();
    await page.getByText("2 browsers are signed out").waitFor();
    await Promise.all([isAsked(laptop), isAsked(odd)]);
    expect(await rows.count()).toBe(1);

    await page.getByRole("combobox", { name: "Language" }).selectOption("ja");
    const japanese = page.getByRole("region", { name: "サインイン中のブラウザー" });
    await japanese.getByText("このブラウザー").waitFor();
    await japanese.scrollIntoViewIfNeeded();
    await keepShot(page, "signed-in-browsers-ja");
    await japanese.getByRole("button", { name: "サインアウト" }).click();
    await japanese.getByRole("button", { name: "もう一度押すとサインアウト" }).click();
    await page.getByRole("heading", { level: 1, name: "サインイン" }).waitFor();
    await keepShot(page, "signed-out");
    expect(room.faults.filter((fault) => !fault.includes("401 (Unauthorized)"))).toEqual([]);
  },
);
