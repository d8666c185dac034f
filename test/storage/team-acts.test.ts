import { describe, expect } from "bun:test";
import type { TeamAct } from "../../src/domain/access/team-act.ts";
import { forgetTeamActs } from "../../src/services/access/team-acts.ts";
import { insertTeamAct, pageTeamActs } from "../../src/storage/access/team-acts.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";

const NOW = "2027-06-02T12:00:00.000Z";

const act = (id: string, at: string): TeamAct => ({
  id,
  kind: "token_made",
  subjectId: `token-${id}`,
  name: "ci",
  detail: "read",
  actor: { kind: "person", id: "p", name: "ann@x.example" },
  at,
});

const store = (db: Database, acts: readonly TeamAct[]) =>
  transact(db, async (trx) => {
    for (const each of acts) await insertTeamAct(trx, each);
  });

const idsOf = async (db: Database) =>
  (await pageTeamActs(db.reader, { cursor: null, limit: 50 })).items.map(({ id }) => id);

const forget = (db: Database, most: number, postgresAddress: string | null = "postgres://x/y") =>
  forgetTeamActs({ db, clock: { now: () => new Date(NOW), iso: () => NOW }, postgresAddress }, most);

describe("what was done to a team", () => {
  onBothDatabases("is listed whole, the newest first, page by page", async ({ db }) => {
    const acts = [act("b", NOW), act("a", NOW), act("c", "2027-06-02T11:00:00.000Z")];
    await store(db, acts);
    const first = await pageTeamActs(db.reader, { cursor: null, limit: 2 });
    expect(first.items).toEqual([acts[0], acts[1]] as TeamAct[]);
    const second = await pageTeamActs(db.reader, { cursor: first.next, limit: 2 });
    expect(second).toEqual({ items: [acts[2] as TeamAct], next: null });
  });

  onBothDatabases("of a kind that only a newer program knows is read all the same", async ({ db }) => {
    await store(db, [
      { ...act("a", NOW), kind: "planet_painted", subjectId: null, detail: null, actor: null },
    ]);
    const { items } = await pageTeamActs(db.reader, { cursor: null, limit: 2 });
    expect(items.map(({ kind, actor }) => [kind, actor])).toEqual([["planet_painted", null]]);
  });

  onBothDatabases("goes after a year, and what is too much goes before", async ({ db }) => {
    const year = ["2026-06-01T11:59:59.000Z", "2026-06-01T12:00:01.000Z"];
    await store(db, [act("old", year[0] ?? ""), act("kept", year[1] ?? ""), act("b", NOW), act("a", NOW)]);
    await forget(db, 10);
    expect(await idsOf(db)).toEqual(["b", "a", "kept"]);
    await forget(db, 3);
    expect(await idsOf(db)).toEqual(["b", "a", "kept"]);
    await forget(db, 1);
    expect(await idsOf(db)).toEqual(["b"]);
  });

  onBothDatabases("is forgotten by no worker that joined a server: its login may not", async ({ db }) => {
    await store(db, [act("b", NOW), act("a", NOW)]);
    await forget(db, 1, null);
    expect(await idsOf(db)).toEqual(db.kind === "postgres" ? ["b", "a"] : ["b"]);
  });
});
