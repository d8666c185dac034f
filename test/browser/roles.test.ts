/** Shows what a viewer, a member and an admin are offered in the control room: nothing that ends in a refusal. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { peopleWords } from "../../web/src/i18n/engine/people-words.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { enter, flagsOf } from "../helpers/enter-as.ts";
import { identityProvider } from "../helpers/identity-provider.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PEOPLE = Object.fromEntries(
  ["ann", "bob", "eve"].map((name) => [name, { email: `${name}@x.example`, email_verified: true }]),
);
const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

/** What the palette finds by these words. */
async function found(page: Page, words: string): Promise<number> {
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox").and(page.locator(":focus"));
  await box.fill(words);
  const count = await page.getByRole("option").count();
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  return count;
}

/** More buttons than so many are off for this reason. What a role may not do is loaded after the screen. */
const areOff = (page: Page, reason: string, more: number) =>
  waitFor("buttons to be off", async () => (await offFor(page, reason)) > more);

/** How many buttons of the page are off for one of these reasons. */
async function offFor(page: Page, ...reasons: readonly string[]): Promise<number> {
  const off = await Promise.all(
    reasons.map((reason) => page.locator(`main [aria-disabled=true][data-hint="${reason}"]`).count()),
  );
  return off.reduce((sum, count) => sum + count, 0);
}

for (const language of ["en", "ja"] as const)
  test.skipIf(BROWSER.missing || missing !== "")(
    deep(`each role is offered what it may do (${language})${BROWSER.why}${missing}`),
    async () => {
      await using provider = await identityProvider(PEOPLE);
      await using database = await ownPostgres();
      await using product = await startProduct({ env: { TAZUNA_DATABASE: database.url } });
      await product.agent("writer", "echo done > note.txt");
      await product.agent("breaker", "echo done > broken.txt");
      await product.configure({ checks: [{ name: "unit", run: "test ! -e broken.txt", required: true }] });
      const { attempt } = await ask(product, ["run", "Write a note", "--agent", "writer"]);
      const broken = await ask(product, ["run", "Break it", "--agent", "breaker"]);
      await product.tazuna(["engine", "stop"]);
      const server = product.start(["serve", "--port", "0", "--json", ...(await flagsOf(product, provider))]);
      await waitFor("the server to listen", () => server.printed().includes("\n"));
      await using room = await openControlRoom(product, { language });
      const { page, url } = room;
      page.setDefaultTimeout(20_000);
      const words: Readonly<Record<string, string>> = peopleWords[language];
      const [member, admin] = [words.needsMember ?? "", words.needsAdmin ?? ""];
      const come = async (who: string, role: "viewer" | "member" | "admin") => {
        // A page that is open would ask in between.
        await page.goto("about:blank");
        await enter(url, provider, who);
        await product.tazuna(["people", "role", `${who}@x.example`, role]);
        const { cookie } = await enter(url, provider, who);
        const [name = "", value = ""] = cookie.split("=");
        await page.context().clearCookies();
        await page.context().addCookies([{ name, value, url }]);
      };
      const show = async (path: string) => {
        await page.goto(url + path);
        await settled(page);
      };
      const newTask = page.locator('nav a[href="/tasks/new"]');

      await come("eve", "viewer");
      await show("/");
      await page.getByText("Write a note").first().waitFor();
      await newTask.first().waitFor({ state: "detached" });
      expect([await found(page, "> run"), await found(page, "> repo add")]).toEqual([0, 0]);
      await show(`/attempts/${attempt.id}`);
      await page.getByText(member).first().waitFor();
      expect(await page.locator("main textarea").count()).toBe(0);
      expect(await found(page, "> cancel")).toBe(0);
      await keepShot(page, `roles-viewer-attempt-${language}`);
      await show(`/attempts/${attempt.id}/ship`);
      await areOff(page, member, 0);
      // What opens a box or a dialog is off, too.
      await show(`/attempts/${broken.attempt.id}/ship`);
      await page.locator(`main [data-act=override][data-hint="${member}"]`).first().waitFor();
      await page.locator(`main button.button[data-kind=primary][data-hint="${member}"]`).first().waitFor();
      await keepShot(page, `roles-viewer-broken-${language}`);
      await show("/settings");
      await page.locator("#workers li").first().waitFor();
      expect(await page.locator("#tokens, #people, #browsers, #devices").count()).toBe(0);
      await areOff(page, admin, 10);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.locator("#workers").scrollIntoViewIfNeeded();
      await keepShot(page, `roles-viewer-settings-${language}`);

      await come("bob", "member");
      await show(`/attempts/${attempt.id}`);
      await page.locator("main textarea").first().waitFor();
      await newTask.first().waitFor();
      expect(await found(page, "> cancel")).toBeGreaterThan(0);
      await page.locator("main [data-menu]").click();
      await page.getByRole("menuitem", { disabled: true }).filter({ hasText: admin }).waitFor();
      await keepShot(page, `roles-member-attempt-${language}`);
      await show("/tasks/new");
      await page.locator("main textarea").first().fill("Say more");
      await page.getByRole("checkbox").first().waitFor();
      await page.locator("main input[inputmode=decimal]").first().waitFor({ state: "detached" });
      await keepShot(page, `roles-member-new-task-${language}`);
      await show("/settings");
      await page.locator("#workers li").first().waitFor();
      await areOff(page, admin, 10);
      expect(await offFor(page, member)).toBe(0);
      const tokens = page.locator("#tokens");
      await tokens.getByRole("button").first().click();
      expect(await tokens.locator("select").first().locator("option").allTextContents()).toEqual([
        "read",
        "write",
        "publish",
      ]);
      await tokens.locator("input").fill("of-bob");
      await tokens.locator("button[type=submit]").click();
      await tokens.getByText(/^tzt_/).waitFor();
      await keepShot(page, `roles-member-settings-${language}`);

      await come("ann", "admin");
      await show("/settings");
      await page.locator("#tokens li").filter({ hasText: "of-bob" }).getByText("bob@x.example").waitFor();
      await page.locator("#workers li").first().waitFor();
      expect(await offFor(page, member, admin)).toBe(0);
      await keepShot(page, `roles-admin-settings-${language}`);
      await show(`/attempts/${attempt.id}`);
      await page.locator("main textarea").first().waitFor();

      // A role holds at once, also in a page that is open.
      await product.tazuna(["people", "role", "ann@x.example", "viewer"]);
      await page.getByText(member).first().waitFor();
      expect(await page.locator("main textarea").count()).toBe(0);
      expect(room.faults).toEqual([]);
      server.kill("SIGTERM");
      await server.end;
    },
  );
