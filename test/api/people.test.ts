import { describe, expect } from "bun:test";
import {
  type Endpoint,
  hasBody,
  pathsOf,
  type Role,
  scopeOf,
} from "../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import type { KnownPerson } from "../../src/domain/access/person.ts";
import { SCOPES } from "../../src/domain/access/scope.ts";
import { makeToken } from "../../src/services/access/access-tokens.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { type EntryWorld, entryWorld, type TestBrowser } from "../helpers/entry-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

const PEOPLE = Object.fromEntries(
  ["ann", "bob", "eve", "joe"].map((name) => [
    name,
    { email: `${name}@x.example`, email_verified: name !== "joe" },
  ]),
);

interface Person {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly removed_at: string | null;
}

/** Ann is an admin, Bob a member, Eve a viewer. */
async function three(on: TestDatabase) {
  const world = await entryWorld(on, { people: PEOPLE, rules: { admins: ["ann@x.example"] } });
  const [ann, bob, eve] = [world.browser(), world.browser(), world.browser()];
  await world.enter(ann, "ann");
  await world.enter(bob, "bob");
  await world.enter(eve, "eve");
  await role(world, "bob@x.example", "member");
  return { world, ann, bob, eve };
}

const role = (world: EntryWorld, named: string, wanted: Role) =>
  world.owner(`/api/v1/people/${encodeURIComponent(named)}`, { method: "PATCH", body: { role: wanted } });

async function codeOf(response: Response): Promise<string | number> {
  if (response.headers.get("content-type") !== "application/problem+json") {
    await response.body?.cancel();
    return response.status;
  }
  return ((await response.json()) as { code: string }).code;
}

const scopeOfYou = async (world: EntryWorld, browser: TestBrowser) => {
  const response = await browser.call(world.second, "/you");
  return response.status === 200 ? ((await response.json()) as { scope: string }).scope : response.status;
};

async function tokenOf(
  world: EntryWorld,
  browser: TestBrowser,
  name: string,
  scope = "admin",
): Promise<string> {
  const made = await browser.call(world.first, "/tokens", { method: "POST", body: { name, scope, days: 1 } });
  return ((await made.json()) as { token: string }).token;
}

const asToken = (world: EntryWorld, token: string, path: string, body?: unknown) =>
  world.second.fetch(
    new Request(`https://tazuna.test/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    }),
  );

describe("people", () => {
  onBothDatabases(
    "each endpoint lets in the roles whose scope it needs, and no other",
    async (on) => {
      const { world, ...browsers } = await three(on);
      await using _ = world;
      const reach = { eve: "read", bob: "publish", ann: "admin" } as const;
      const wrong: string[] = [];
      for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
        // The last two would end what the others ask with.
        if (endpoint.open === true || endpoint.type === "text/event-stream") continue;
        if (name === "leaveBrowser" || name === "signOutBrowsers") continue;
        const path = pathsOf(endpoint.path)[0]?.replaceAll(":id", "none") ?? "";
        for (const [who, scope] of Object.entries(reach)) {
          const body = hasBody(endpoint) ? { body: {} } : {};
          const asked = { method: endpoint.method, ...body };
          const response = await browsers[who as keyof typeof reach].call(world.first, path, asked);
          const isRefused = (await codeOf(response)) === "scope_too_small";
          const needs = scopeOf(endpoint);
          const isMeant = SCOPES.indexOf(scope) < SCOPES.indexOf(needs);
          if (isRefused !== isMeant) wrong.push(`${name} (${needs}): ${who} is refused: ${isRefused}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    { timeoutMs: 120_000 },
  );

  onBothDatabases("a refusal says which role is needed, and who gives it", async (on) => {
    const { world, eve } = await three(on);
    await using _ = world;
    const response = await eve.call(world.first, "/runs/1/stop", { method: "POST", body: {} });
    const { code, detail, remedy } = (await response.json()) as Record<string, string>;
    expect({ status: response.status, code, detail, remedy }).toEqual({
      status: 403,
      code: "scope_too_small",
      detail: "You are signed in as eve@x.example with the role `viewer`, and this needs `member`.",
      remedy: "Ask an admin for that role: `tazuna people role eve@x.example member`.",
    });
  });

  onBothDatabases("a role holds from the next call on, at each server, also for tokens", async (on) => {
    const { world, ann, bob } = await three(on);
    await using _ = world;
    expect(await scopeOfYou(world, bob)).toBe("publish");
    const token = await tokenOf(world, ann, "of-ann");
    expect(await codeOf(await asToken(world, token, "/people"))).toBe(200);
    for (const [given, scope, code] of [
      ["member", "publish", "scope_too_small"],
      ["viewer", "read", "scope_too_small"],
      ["admin", "admin", 200],
    ] as const) {
      expect((await role(world, "ann@x.example", given)).status).toBe(200);
      expect(await scopeOfYou(world, ann)).toBe(scope);
      expect(await codeOf(await asToken(world, token, "/people"))).toBe(code);
    }
  });

  onBothDatabases("what a person makes is theirs: tokens of their tokens, links and codes", async (on) => {
    const { world, ann } = await three(on);
    await using _ = world;
    const token = await tokenOf(world, ann, "first");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const post = async (path: string, body: unknown) => {
      const url = `https://tazuna.test/api/v1${path}`;
      const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
      return (await (await world.first.fetch(request)).json()) as Record<string, string>;
    };
    const second = (await post("/tokens", { name: "second", scope: "admin" })).token ?? "";
    const phone = world.browser();
    const { url = "" } = await post("/links", {});
    expect((await phone.get(world.second, url)).status).toBe(303);
    const unused = (await post("/links", {})).url ?? "";
    const you = (await (await phone.call(world.first, "/you")).json()) as { person: Person };
    expect(you.person.email).toBe("ann@x.example");
    expect((await world.owner("/api/v1/people/ann%40x.example", { method: "DELETE" })).status).toBe(200);
    const late = world.browser();
    expect([
      await codeOf(await asToken(world, second, "/you")),
      await scopeOfYou(world, phone),
      (await late.get(world.first, unused)).status,
    ]).toEqual(["token_required", 401, 401]);
  });

  onBothDatabases(
    "who is removed is out at once, and comes in again by an admin's word alone",
    async (on) => {
      const { world, ann, bob } = await three(on);
      await using _ = world;
      const remove = () => ann.call(world.first, "/people/bob%40x.example", { method: "DELETE" });
      const removed = (await (await remove()).json()) as Person;
      expect([removed.email, removed.removed_at]).toEqual(["bob@x.example", expect.any(String)]);
      expect(await scopeOfYou(world, bob)).toBe(401);
      expect(await codeOf(await remove())).toBe("not_found");
      const refused = await world.enter(bob, "bob");
      expect([refused.status, await refused.text()]).toEqual([
        401,
        expect.stringContaining("bob@x.example may not enter any more"),
      ]);
      expect((await role(world, "bob@x.example", "viewer")).status).toBe(200);
      expect((await world.enter(bob, "bob")).status).toBe(303);
      expect(await scopeOfYou(world, bob)).toBe("read");
    },
  );

  onBothDatabases("a stream ends when its person is removed, or may not read it any more", async (on) => {
    const { world, ann, eve } = await three(on);
    await using _ = world;
    const openStream = async (browser: TestBrowser, path: string) => {
      const response = await browser.call(world.second, path);
      expect(response.status).toBe(200);
      let ended = false;
      void (async () => {
        for await (const _chunk of response.body ?? []);
        ended = true;
      })();
      return () => ended;
    };
    const [ofEve, ofAnn] = [await openStream(eve, "/events"), await openStream(ann, "/events")];
    const terminal = await openStream(ann, "/terminals/t/output");
    await world.owner("/api/v1/people/eve%40x.example", { method: "DELETE" });
    await waitFor("the stream of who was removed to end", ofEve);
    expect([ofAnn(), terminal()]).toEqual([false, false]);
    await role(world, "ann@x.example", "member");
    await waitFor("the terminal of who is no admin any more to end", terminal);
    expect(ofAnn()).toBe(false);
  });

  onBothDatabases("a member has tokens of their own, which may do no more than they", async (on) => {
    const { world, ann, bob, eve } = await three(on);
    await using _ = world;
    const add = (browser: TestBrowser, name: string, scope: string) =>
      browser.call(world.first, "/tokens", { method: "POST", body: { name, scope } });
    const names = async (response: Response) =>
      ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
    expect(await codeOf(await add(eve, "of-eve", "read"))).toBe("scope_too_small");
    const refused = (await (await add(bob, "of-bob", "admin")).json()) as Record<string, string>;
    expect([refused.code, refused.detail]).toEqual([
      "scope_too_small",
      "You are signed in as bob@x.example with the role `member`, and `scope` with this value needs `admin`.",
    ]);
    const made = (await (await add(bob, "of-bob", "publish")).json()) as Record<string, string>;
    expect(made).toMatchObject({ scope: "publish", person: expect.any(String) });
    await tokenOf(world, ann, "of-ann");
    expect(await names(await bob.call(world.second, "/tokens"))).toEqual(["of-bob"]);
    expect(await names(await ann.call(world.second, "/tokens"))).toEqual(["of-bob", "of-ann"]);
    const remove = (name: string) => bob.call(world.second, `/tokens/${name}`, { method: "DELETE" });
    expect(await codeOf(await remove("of-ann"))).toBe("not_found");

    // Who finds the token makes no further one by it, and sees none of others.
    const { token = "" } = made;
    expect(await names(await asToken(world, token, "/tokens"))).toEqual(["of-bob"]);
    const further = await asToken(world, token, "/tokens", { name: "further", scope: "read" });
    expect(((await further.json()) as Record<string, string>).detail).toBe(
      'The token "of-bob" has the scope `publish`, and making tokens needs `admin`.',
    );
    expect((await remove("of-bob")).status).toBe(200);
    expect(await codeOf(await asToken(world, token, "/you"))).toBe("token_required");
  });

  onBothDatabases("a token in use ends with the role of its member, and with the member", async (on) => {
    const { world, bob } = await three(on);
    await using _ = world;
    const token = await tokenOf(world, bob, "of-bob", "publish");
    const publish = () => asToken(world, token, "/attempts/none/take-back", { name: "x" });
    const stream = await asToken(world, token, "/events");
    let ended = false;
    void (async () => {
      for await (const _chunk of stream.body ?? []);
      ended = true;
    })();
    expect(await codeOf(await publish())).not.toBe("scope_too_small");
    await role(world, "bob@x.example", "viewer");
    expect(await codeOf(await publish())).toBe("scope_too_small");
    expect([await codeOf(await asToken(world, token, "/you")), ended]).toEqual([200, false]);
    // The role comes back, and the token may do what it was made for.
    await role(world, "bob@x.example", "admin");
    expect(await codeOf(await publish())).not.toBe("scope_too_small");
    expect(await codeOf(await asToken(world, token, "/people"))).toBe("scope_too_small");
    await world.owner("/api/v1/people/bob%40x.example", { method: "DELETE" });
    expect(await codeOf(await publish())).toBe("token_required");
    await waitFor("the stream of the token to end", () => ended);
  });

  onBothDatabases("who is removed while they ask for a token gets none", async (on) => {
    const { world, bob } = await three(on);
    await using _ = world;
    const { person } = (await (await bob.call(world.first, "/you")).json()) as { person: KnownPerson };
    await world.owner("/api/v1/people/bob%40x.example", { method: "DELETE" });
    const context = {
      ...{ db: world.db, newId: () => "late", newFacts: { notify: () => undefined } },
      clock: { now: () => new Date(), iso: () => new Date().toISOString() },
    } as unknown as Parameters<typeof makeToken>[0];
    const made = await makeToken(context, { name: "late", scope: "read", days: 1 }, person);
    expect(made._unsafeUnwrapErr().message).toBe("bob@x.example is not let in here any more.");
    expect(await world.db.reader.selectFrom("accessTokens").select("id").execute()).toEqual([]);
  });

  onBothDatabases("whom the server names is an admin at each entry, also who came before", async (on) => {
    const { world, bob } = await three(on);
    await using _ = world;
    const named = await world.startWith({ admins: ["ann@x.example", "bob@x.example"] });
    expect(await scopeOfYou(world, bob)).toBe("publish");
    await world.enter(bob, "bob", { at: named });
    expect(await scopeOfYou(world, bob)).toBe("admin");
    // An admin's word holds until the next entry.
    await role(world, "bob@x.example", "viewer");
    expect(await scopeOfYou(world, bob)).toBe("read");
    await world.enter(bob, "bob", { at: named });
    expect(await scopeOfYou(world, bob)).toBe("admin");
    // A server that does not name him lets him in as what the admin made of him.
    await world.enter(bob, "bob");
    expect(await scopeOfYou(world, bob)).toBe("read");
  });

  onBothDatabases(
    "whom a server no longer names is no admin once it has started, also with tokens",
    async (on) => {
      const { world, ann, bob } = await three(on);
      await using _ = world;
      const named = await world.startWith({ admins: ["ann@x.example", "bob@x.example"] });
      await world.enter(bob, "bob", { at: named });
      const token = await tokenOf(world, bob, "of-bob");
      expect(await codeOf(await asToken(world, token, "/people"))).toBe(200);
      // Ann is an admin by the word of one, too.
      await role(world, "ann@x.example", "admin");
      await world.enter(ann, "ann", { at: named });
      await world.startWith({ admins: [] });
      expect([await scopeOfYou(world, bob), await scopeOfYou(world, ann)]).toEqual(["publish", "admin"]);
      expect(await codeOf(await asToken(world, token, "/people"))).toBe("scope_too_small");
      await world.enter(ann, "ann", { at: await world.startWith({ admins: [] }) });
      expect(await scopeOfYou(world, ann)).toBe("admin");
    },
  );

  onBothDatabases("an address that the provider does not vouch for is never named", async (on) => {
    const { world } = await three(on);
    await using _ = world;
    const named = await world.startWith({ admins: ["ann@x.example", "joe@x.example"] });
    const joe = world.browser();
    await world.enter(joe, "joe", { at: named });
    expect(await scopeOfYou(world, joe)).toBe("read");
    expect(await world.db.reader.selectFrom("people").select("givenRole").execute()).toContainEqual({
      givenRole: "viewer",
    });
  });

  onBothDatabases(
    "a browser signs itself out, and a person is named by address, id or prefix",
    async (on) => {
      const { world, eve } = await three(on);
      await using _ = world;
      const out = await eve.call(world.first, "/you/sign-out", { method: "POST", body: {} });
      expect([out.status, await out.json()]).toEqual([200, { signed_out: true }]);
      expect(await scopeOfYou(world, eve)).toBe(401);
      const { items } = (await (await world.owner("/api/v1/people")).json()) as { items: Person[] };
      expect(items.map(({ email, role: has }) => [email, has])).toEqual([
        ["ann@x.example", "admin"],
        ["bob@x.example", "member"],
        ["eve@x.example", "viewer"],
      ]);
      const id = items[2]?.id ?? "";
      for (const named of [id, id.slice(0, 12), "EVE@x.example"])
        expect(((await (await role(world, named, "member")).json()) as Person).id).toBe(id);
      expect(await codeOf(await role(world, "nobody@x.example", "admin"))).toBe("not_found");
    },
  );
});
