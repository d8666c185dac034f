import { describe, expect } from "bun:test";
import {
  deleteAccessToken,
  findAccessToken,
  insertAccessToken,
  listAccessTokens,
  noteTokenUse,
} from "../../src/storage/access/tokens.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { NOON } from "./sample-rows.ts";

const TOKEN = {
  id: "t1",
  name: "ci",
  scope: "write",
  hash: "aa",
  personId: null,
  createdAt: NOON,
  expiresAt: "2100-01-01T00:00:00.000Z",
  usedAt: null,
} as const;

describe("access tokens", () => {
  onBothDatabases("are found by their hash, under a name of their own, until removed", async ({ db }) => {
    const insert = (token: typeof TOKEN) => transact(db, (trx) => insertAccessToken(trx, token));
    expect(await insert(TOKEN)).toBe("inserted");
    const other = { ...TOKEN, id: "t2", hash: "bb" } as unknown as typeof TOKEN;
    expect(await insert(other)).toBe("taken");
    expect(await findAccessToken(db.reader, "bb")).toBeNull();
    await noteTokenUse(db, { id: "t1", at: NOON });
    const used = { ...TOKEN, usedAt: NOON };
    expect([await findAccessToken(db.reader, "aa"), await listAccessTokens(db.reader)]).toEqual([
      { ...used, person: null },
      [used],
    ]);
    const remove = () => transact(db, (trx) => deleteAccessToken(trx, "t1"));
    expect([await remove(), await remove(), await listAccessTokens(db.reader)]).toEqual([used, null, []]);
  });
});
