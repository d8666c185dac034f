import { describe, expect } from "bun:test";
import { insertSignInCode, knowsSignInCode, takeSignInCode } from "../../src/storage/access/sign-in-codes.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;

describe("sign-in codes", () => {
  onBothDatabases("sign in once by either of both, until they expire or too many follow", async ({ db }) => {
    const keep = (name: string, minute: number, now = at(0)) =>
      transact(db, (trx) =>
        insertSignInCode(
          trx,
          { linked: `link-${name}`, typed: `type-${name}`, expiresAt: at(minute) },
          { now, most: 3 },
        ),
      );
    const take = (hash: string, now = at(0)) => transact(db, (trx) => takeSignInCode(trx, { hash, now }));
    await keep("a", 10);
    expect([await take("link-a"), await take("type-a"), await take("link-a")]).toEqual([true, false, false]);
    await keep("b", 11);
    expect([await knowsSignInCode(db.reader, "type-b"), await take("type-b", at(12))]).toEqual([true, false]);
    expect(await knowsSignInCode(db.reader, "link-b")).toBe(false);
    for (const [index, name] of ["c", "d", "e", "f"].entries()) await keep(name, 20 + index);
    expect([await take("link-c"), await take("link-d"), await take("link-f")]).toEqual([false, true, true]);
    // "e" has expired when the next one is kept.
    await keep("g", 40, at(30));
    expect([await knowsSignInCode(db.reader, "link-e"), await take("link-g", at(30))]).toEqual([false, true]);
  });
});
