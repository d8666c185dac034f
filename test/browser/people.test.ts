/** Signs people in through an identity provider with a real browser, and shows what an admin and a viewer see of it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { peopleWords } from "../../web/src/i18n/engine/people-words.ts";
import { settingsWords } from "../../web/src/i18n/engine/settings-words.ts";
import { teamActWords } from "../../web/src/i18n/engine/team-act-words.ts";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom } from "../helpers/browser.ts";
import { identityProvider } from "../helpers/identity-provider.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PEOPLE = {
  ann: { email: "ann@x.example", email_verified: true, name: "Ann Example" },
  bob: { email: "bob@x.example", email_verified: false, name: "Bob Example" },
};

const WORDS = { people: peopleWords, settings: settingsWords, teamActs: teamActWords };

/** The words of a screen, with their values. */
function wordsOf(language: "en" | "ja") {
  return (noun: keyof typeof WORDS, key: string, values: Readonly<Record<string, string>> = {}) => {
    const words: Readonly<Record<string, string>> = WORDS[noun][language];
    return (words[key] ?? "").replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  };
}

for (const language of ["en", "ja"] as const)
  test.skipIf(BROWSER.missing)(
    deep(`a person signs in through the provider (${language})${BROWSER.why}`),
    async () => {
      await using provider = await identityProvider(PEOPLE, { host: "localhost" });
      await using product = await startProduct();
      const secret = join(product.sandbox.root, "oidc-secret");
      await writeFile(secret, provider.secret, { mode: 0o600 });
      const server = product.start([
        ...[
          "serve",
          "--json",
          "--port",
          "0",
          "--oidc-issuer",
          provider.issuer,
          "--oidc-client",
          provider.clientId,
        ],
        ...["--oidc-client-secret-file", secret, "--oidc-admins", "ann@x.example"],
      ]);
      await waitFor("the server to listen", () => server.printed().includes("\n"));
      await using room = await openControlRoom(product, { language });
      const { page } = room;
      const say = wordsOf(language);
      // Somebody else's browser, which nobody has signed in yet.
      await page.context().clearCookies();
      await page.goto(`${room.url}/settings`);
      const enter = page.getByRole("link", {
        name: say("people", "enterWith", { host: new URL(provider.issuer).host }),
      });
      await enter.waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await keepShot(page, `people-sign-in-${language}`);
      const goIn = async (who: string) => {
        await enter.click();
        await page.getByLabel("Name").fill(who);
        await page.getByRole("button", { name: "Enter" }).click();
      };
      await goIn("bob");
      // The page that was wanted.
      const you = page.getByRole("region", { name: say("settings", "you"), exact: true });
      await you.getByText("bob@x.example").waitFor();
      await you.getByText(say("people", "may_viewer")).waitFor();
      expect(new URL(page.url()).pathname).toBe("/settings");
      await page.getByRole("region", { name: say("settings", "agents") }).waitFor();
      const ofAdmins = page.getByRole("region", { name: say("settings", "tokens") });
      await ofAdmins.waitFor({ state: "detached" });
      await keepShot(page, `people-viewer-${language}`);
      await you.getByRole("button", { name: say("people", "signOut") }).click();

      // The provider still knows Bob: another person begins without its cookies.
      await enter.waitFor();
      await page.context().clearCookies();
      await page.goto(`${room.url}/settings`);
      await enter.waitFor();
      await goIn("ann");
      const people = page.getByRole("region", { name: say("settings", "people"), exact: true });
      await people.getByText("bob@x.example", { exact: true }).waitFor();
      await people.getByText(say("people", "notVerified")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await people.getByLabel(say("people", "roleOf", { email: "bob@x.example" })).selectOption("member");
      await keepShot(page, `people-admin-${language}`);
      const roleOfBob = async () => {
        const { stdout } = await product.tazuna(["people", "--json"]);
        return /"email": ?"bob@x.example"[^}]*"role": ?"(\w+)"[^}]*/.exec(stdout)?.[1];
      };
      await waitFor("the role to hold", async () => (await roleOfBob()) === "member");
      const remove = people
        .getByRole("listitem")
        .filter({ hasText: "bob@x.example" })
        .getByRole("button", { name: say("people", "remove") });
      await remove.click();
      await remove.click();
      await people.getByRole("button", { name: say("people", "letIn") }).waitFor();
      await keepShot(page, `people-removed-${language}`);
      const acts = page.getByRole("region", { name: say("settings", "acts"), exact: true });
      const bob = { name: "bob@x.example" };
      await acts.getByText(say("teamActs", "person_removed", bob)).waitFor();
      const told = (await acts.getByRole("listitem").allTextContents()).slice(0, 5);
      const expected = [
        ["ann@x.example", say("teamActs", "person_removed", bob)],
        ["ann@x.example", say("teamActs", "role_given", bob), say("people", "role_member")],
        ["ann@x.example", say("teamActs", "person_entered", { name: "ann@x.example" })],
        ["bob@x.example", say("teamActs", "browser_signed_out", { name: "" })],
        ["bob@x.example", say("teamActs", "person_entered", bob), say("people", "role_viewer")],
      ];
      for (const [index, parts] of expected.entries())
        for (const part of parts) expect(told[index]).toContain(part);
      expect(await accessibilityFaults(page)).toEqual([]);
      await acts.scrollIntoViewIfNeeded();
      await keepShot(page, `people-acts-${language}`);
      // The provider is elsewhere, and a page that is signed out is told so.
      const isMeant = (fault: string) => fault.includes(provider.issuer) || / 40[13] /.test(fault);
      expect(room.faults.filter((fault) => !isMeant(fault))).toEqual([]);
      server.kill("SIGTERM");
      await server.end;
    },
  );
