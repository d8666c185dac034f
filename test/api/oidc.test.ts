import { describe, expect } from "bun:test";
import { forgetEntries } from "../../src/services/access/entries.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { doorServer } from "../helpers/door-server.ts";
import { type EntryWorld, entryWorld, ORIGIN, secretOf, type TestBrowser } from "../helpers/entry-world.ts";

const PEOPLE = {
  ann: { email: "Ann@x.example", email_verified: true, name: "Ann" },
  bob: { email: "bob@x.example", email_verified: false, name: "Bob" },
  eve: { email: "eve@elsewhere.example", email_verified: true },
  nameless: { name: "Nobody" },
};

const BEGIN = "/sign-in/oidc";

async function youOf(world: EntryWorld, browser: TestBrowser): Promise<unknown> {
  const response = await browser.call(world.first, "/you");
  return response.status === 200 ? await response.json() : response.status;
}

/** Begins an entry, and answers with the address to which the provider sends the browser back. */
async function backOf(world: EntryWorld, browser: TestBrowser, who = "ann"): Promise<string> {
  const begun = await browser.get(world.first, BEGIN);
  return (await world.provider.enter(begun.headers.get("location") ?? "", who)).slice(ORIGIN.length);
}

async function expectRefused(response: Response, browser: TestBrowser, words: string, status = 401) {
  const text = await response.text();
  expect([response.status, response.headers.get("content-type"), secretOf(browser)]).toEqual([
    status,
    "text/html; charset=UTF-8",
    undefined,
  ]);
  expect(text).toContain(words);
  expect(text).toContain(`<a href="${BEGIN}">`);
}

describe("entering through an identity provider", () => {
  onBothDatabases("begins at one server and ends at another one", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE, rules: { admins: ["ann@x.example"] } });
    const browser = world.browser();
    const begun = await browser.get(world.first, `${BEGIN}?to=/attempts/7%3Ftab%3Ddiff`);
    const there = new URL(begun.headers.get("location") ?? "");
    expect([begun.status, there.origin, there.searchParams.get("code_challenge_method")]).toEqual([
      303,
      world.provider.issuer,
      "S256",
    ]);
    expect(there.searchParams.get("redirect_uri")).toBe(`${ORIGIN}${BEGIN}/back`);
    expect(begun.headers.get("set-cookie")).toMatch(
      /^__Host-tazuna_443_entry=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    // The row says nothing by which somebody else could end the entry.
    const [flow] = await world.db.reader.selectFrom("signInFlows").selectAll().execute();
    const told = [...world.browser().cookies.values(), ...there.searchParams.values()];
    expect([
      flow?.returnTo,
      told.some((value) => JSON.stringify(flow).includes(value) && value.length > 20),
    ]).toEqual(["/attempts/7?tab=diff", false]);

    const back = await world.provider.enter(there.href, "ann");
    const entered = await browser.get(world.second, back.slice(ORIGIN.length));
    expect([entered.status, entered.headers.get("location")]).toEqual([303, `${ORIGIN}/attempts/7?tab=diff`]);
    expect(secretOf(browser)).toMatch(/^p\.[\w-]{43}$/);
    expect(entered.headers.getSetCookie().at(-1)).toContain("HttpOnly; Secure; SameSite=Strict");
    expect(await youOf(world, browser)).toEqual({
      person: { id: expect.any(String), email: "ann@x.example", role: "admin" },
      scope: "admin",
      browser: true,
    });
    expect(world.reported).toEqual([]);
  });

  onBothDatabases("the same person is one row, by what the provider calls them", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE, rules: { admins: ["bob@x.example"] } });
    for (const browser of [world.browser(), world.browser()])
      expect((await world.enter(browser, "bob")).status).toBe(303);
    const { items } = (await (await world.owner("/api/v1/people")).json()) as { items: unknown[] };
    // An address that the provider does not vouch for makes nobody an admin.
    expect(items).toEqual([
      {
        id: expect.any(String),
        issuer: world.provider.issuer,
        subject: "bob",
        email: "bob@x.example",
        email_verified: false,
        name: "Bob",
        role: "viewer",
        given_role: null,
        created_at: expect.any(String),
        seen_at: expect.any(String),
        removed_at: null,
      },
    ]);
  });

  onBothDatabases(
    "an answer of the provider counts once, and in the browser that asked alone",
    async (on) => {
      await using world = await entryWorld(on, { people: PEOPLE });
      const [browser, other] = [world.browser(), world.browser()];
      const back = await backOf(world, browser);
      await expectRefused(await other.get(world.second, back), other, "began in another browser");
      await other.get(world.first, BEGIN);
      await expectRefused(await other.get(world.second, back), other, "an answer that proves nothing");
      const kept = new Map(browser.cookies);
      expect((await browser.get(world.second, back)).status).toBe(303);
      const again = world.browser();
      for (const [name, value] of kept) again.cookies.set(name, value);
      await expectRefused(await again.get(world.first, back), again, "was used before");
    },
  );

  onBothDatabases("what was changed on the way proves nothing", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const changes: readonly ((back: URL) => void)[] = [
      (back) => back.searchParams.set("state", "x".repeat(43)),
      (back) => back.searchParams.delete("state"),
      (back) => back.searchParams.set("code", "made-up"),
      (back) => back.searchParams.delete("code"),
      (back) => back.searchParams.set("iss", "https://other.example"),
    ];
    for (const change of changes) {
      const browser = world.browser();
      const back = new URL(await backOf(world, browser), ORIGIN);
      change(back);
      const response = await browser.get(world.second, back.pathname + back.search);
      await expectRefused(response, browser, "an answer that proves nothing");
    }
    // The nonce of another entry.
    const browser = world.browser();
    const begun = new URL((await browser.get(world.first, BEGIN)).headers.get("location") ?? "");
    begun.searchParams.set("nonce", "another-nonce");
    const back = await world.provider.enter(begun.href, "ann");
    const response = await browser.get(world.second, back.slice(ORIGIN.length));
    await expectRefused(response, browser, "an answer that proves nothing");
    expect(await world.db.reader.selectFrom("people").selectAll().execute()).toEqual([]);
    expect(JSON.stringify(world.reported)).not.toContain(world.provider.secret);
  });

  onBothDatabases("an ID token that the provider did not sign proves nothing", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE, forges: true });
    const browser = world.browser();
    const response = await world.enter(browser, "ann");
    await expectRefused(response, browser, "an answer that proves nothing");
    expect(await world.db.reader.selectFrom("people").selectAll().execute()).toEqual([]);
  });

  onBothDatabases("an entry ends after ten minutes", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const browser = world.browser();
    const back = await backOf(world, browser);
    await world.db.writes.kysely
      .updateTable("signInFlows")
      .set({ expiresAt: "2026-01-01T00:00:00.000Z" })
      .execute();
    await expectRefused(await browser.get(world.second, back), browser, "took too long");
  });

  onBothDatabases("what has expired is forgotten, by those that may", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    await world.browser().get(world.first, BEGIN);
    await world.db.writes.kysely
      .updateTable("signInFlows")
      .set({ expiresAt: "2026-01-01T00:00:00.000Z" })
      .execute();
    const [{ hash: old } = { hash: "" }] = await world.db.reader
      .selectFrom("signInFlows")
      .selectAll()
      .execute();
    const fresh = { hash: "fresh", returnTo: "/", expiresAt: "2999-01-01T00:00:00.000Z" };
    await world.db.writes.kysely.insertInto("signInFlows").values(fresh).execute();
    const left = async (postgresAddress: string | null) => {
      await forgetEntries({ db: world.db, postgresAddress });
      const rows = await world.db.reader.selectFrom("signInFlows").select("hash").execute();
      return rows.map(({ hash }) => hash).sort();
    };
    // A worker that joined may not touch the rows.
    if (world.db.kind === "postgres") expect(await left(null)).toEqual([old, "fresh"].sort());
    expect(await left("postgres://here")).toEqual(["fresh"]);
  });

  onBothDatabases("who cancels, has no address or may not enter is told so", async (on) => {
    const rules = { domains: ["x.example"], admins: ["chef@other.example"] };
    await using world = await entryWorld(on, { people: PEOPLE, rules });
    const refused = async (who: string | null, words: string) => {
      const browser = world.browser();
      await expectRefused(await world.enter(browser, who), browser, words);
    };
    await refused(null, "did not let you in");
    await refused("nameless", "does not tell your e-mail address");
    await refused("eve", "eve@elsewhere.example may not enter here");
    // Their address is of the domain, but nobody vouches for it.
    await refused("bob", "bob@x.example may not enter here");
    expect((await world.enter(world.browser(), "ann")).status).toBe(303);
  });

  onBothDatabases("a provider that is away lets nobody in, and the server says so", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const browser = world.browser();
    const back = await backOf(world, browser);
    await world.provider.stop();
    await expectRefused(await browser.get(world.first, back), browser, "does not answer as it should");
    const other = world.browser();
    await expectRefused(await other.get(world.second, BEGIN), other, "does not answer as it should", 502);
    expect(other.cookies.size).toBe(0);
  });

  onBothDatabases("leads to no other address, and previews begin nothing", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const odd = [
      "https://evil.example/x",
      "//evil.example/x",
      "/\\evil.example",
      "/.//evil.example",
      "javascript:1",
    ];
    for (const to of odd) {
      const location = (await world.enter(world.browser(), "ann", { to })).headers.get("location") ?? "";
      expect([to, new URL(location).origin]).toEqual([to, ORIGIN]);
    }
    const rows = () => world.db.reader.selectFrom("signInFlows").select("hash").execute();
    expect(await rows()).toEqual([]);
    for (const [method, headers] of [
      ["HEAD", {}],
      ["GET", { purpose: "prefetch" }],
      ["POST", { origin: ORIGIN }],
    ] as const)
      await world.first.fetch(new Request(ORIGIN + BEGIN, { method, headers }));
    expect(await rows()).toEqual([]);
  });

  onBothDatabases("a page is told which way there is", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const ways = await world.first.fetch(new Request(`${ORIGIN}/api/v1/sign-in-ways`));
    const { host } = new URL(world.provider.issuer);
    expect(await ways.json()).toEqual({ provider: { host, path: BEGIN } });
    await using door = doorServer();
    expect(await (await door.bare("/api/v1/sign-in-ways")).json()).toEqual({ provider: null });
    expect((await door.bare(BEGIN)).status).toBe(404);
  });
});
