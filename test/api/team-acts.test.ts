/** Whatever changes who may do what names who did it, in the transaction that does it. */
import { describe, expect } from "bun:test";
import { AGENT_HEADER } from "../../src/contract/client/http-call.ts";
import type { TeamActDocument } from "../../src/contract/endpoints/access.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { type EntryWorld, entryWorld, type TestBrowser } from "../helpers/entry-world.ts";

const PEOPLE = Object.fromEntries(
  ["ann", "bob"].map((name) => [name, { email: `${name}@x.example`, email_verified: true }]),
);
const FORGED = { [AGENT_HEADER]: "robot", "tazuna-actor": '{"kind":"person","id":null,"name":"boss"}' };

const json = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T;

const actsOf = async (world: EntryWorld, query = "") =>
  json<{ items: TeamActDocument[]; next: string | null }>(world.owner(`/api/v1/team-acts${query}`));

const told = ({ kind, name, detail, actor }: TeamActDocument) => [
  kind,
  name,
  detail,
  actor && `${actor.kind} ${actor.name}`,
];

const remove = (world: EntryWorld, who: TestBrowser, path: string) =>
  who.call(world.first, path, { method: "DELETE" });

describe("acts on a team", () => {
  onBothDatabases("name each who did them: people, their tokens, the owner", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE, rules: { admins: ["ann@x.example"] } });
    const [ann, bob] = [world.browser(), world.browser()];
    await world.enter(ann, "ann");
    await world.enter(bob, "bob");
    // Who enters again has changed nothing.
    await world.enter(bob, "bob");
    await ann.call(world.first, "/people/bob@x.example", { method: "PATCH", body: { role: "admin" } });
    const wanted = { name: "ci", scope: "admin", days: 1 };
    const made = await json<{ id: string; token: string }>(
      bob.call(world.second, "/tokens", { method: "POST", body: wanted }),
    );
    const asBot = (path: string, method: string, body?: unknown) =>
      world.second.fetch(
        new Request(`https://tazuna.test/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${made.token}`, "content-type": "application/json", ...FORGED },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    const other = await json<{ token: string }>(asBot("/tokens", "POST", { ...wanted, name: "other" }));
    await asBot("/tokens/other", "DELETE");
    const { items: browsers } = await json<{ items: { id: string; person: string }[] }>(
      ann.call(world.first, "/browsers"),
    );
    const hers = browsers.find(({ person }) => person === "bob@x.example");
    await remove(world, ann, `/browsers/${hers?.id}`);
    await world.owner("/api/v1/people/bob@x.example", { method: "DELETE" });
    // What was refused was not done.
    await remove(world, ann, "/people/eve@x.example");
    await ann.call(world.first, "/tokens", { method: "POST", body: wanted });
    await ann.call(world.first, "/tokens", { method: "POST", body: wanted });
    await remove(world, ann, "/tokens/none");

    const { items } = await actsOf(world);
    expect(items.map(told).toReversed()).toEqual([
      ["person_entered", "ann@x.example", "admin", "person ann@x.example"],
      ["person_entered", "bob@x.example", "viewer", "person bob@x.example"],
      ["role_given", "bob@x.example", "admin", "person ann@x.example"],
      ["token_made", "ci", "admin", "person bob@x.example"],
      ["token_made", "other", "admin", "token ci of bob@x.example"],
      ["token_removed", "other", null, "token ci of bob@x.example"],
      ["browser_signed_out", "", "bob@x.example", "person ann@x.example"],
      ["person_removed", "bob@x.example", null, "owner null"],
      ["token_made", "ci", "admin", "person ann@x.example"],
    ]);
    const whole = JSON.stringify(items);
    for (const secret of [made.token, other.token, "tzt_", "boss", "robot"])
      expect(whole).not.toContain(secret);
    expect(items.find(({ kind, name }) => kind === "token_made" && name === "other")?.actor?.id).toBe(
      made.id,
    );
  });

  onBothDatabases("name nobody if the flags of a server gave somebody another role", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    const bob = world.browser();
    await world.enter(bob, "bob");
    const named = await world.startWith({ admins: ["bob@x.example"] });
    await world.enter(bob, "bob", { at: named });
    await world.startWith({ admins: [] });
    const { items } = await actsOf(world);
    expect(items.map(told).toReversed()).toEqual([
      ["person_entered", "bob@x.example", "viewer", "person bob@x.example"],
      ["role_given", "bob@x.example", "admin", null],
      ["role_given", "bob@x.example", "viewer", null],
    ]);
  });

  onBothDatabases("are read in pages, and tell whoever follows", async (on) => {
    await using world = await entryWorld(on, { people: PEOPLE });
    for (const name of ["a", "b", "c"])
      await world.owner("/api/v1/tokens", { method: "POST", body: { name, scope: "read", days: 1 } });
    const first = await actsOf(world, "?limit=2");
    const second = await actsOf(world, `?limit=2&cursor=${first.next}`);
    expect([first, second].map(({ items }) => items.map(({ name }) => name))).toEqual([["c", "b"], ["a"]]);
    expect(second.next).toBeNull();
    expect(await json<{ code: string }>(world.owner("/api/v1/team-acts?cursor=x"))).toMatchObject({
      code: "bad_cursor",
    });
    const facts = await world.db.reader
      .selectFrom("facts")
      .select("data")
      .where("kind", "=", "team.act")
      .orderBy("seq", "desc")
      .execute();
    expect(facts.map(({ data }) => JSON.parse(data))).toEqual(
      [...first.items, ...second.items].map(({ id, kind }) => ({ act: id, kind })),
    );
  });
});
