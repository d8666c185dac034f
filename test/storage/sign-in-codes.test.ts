import { describe, expect } from "bun:test";
import { insertSignInCode, knowsSignInCode, takeSignInCode } from "../../src/storage/access/sign-in-codes.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";

const HOUR = 3_600_000;

describe("sign-in codes", () => {
  onBothDatabases("sign in once by either of both, until they expire or too many follow", async ({ db }) => {
    const keep = (name: string, lifeMs: number) =>
      transact(db, (trx) =>
        insertSignInCode(
          trx,
          { linked: `link-${name}`, typed: `type-${name}`, personId: null },
          { lifeMs, most: 3 },
        ),
      );
    const take = async (hash: string) => (await transact(db, (trx) => takeSignInCode(trx, hash))) !== null;
    await keep("a", HOUR);
    expect([await take("link-a"), await take("type-a"), await take("link-a")]).toEqual([true, false, false]);
    await keep("b", 0);
    expect([await knowsSignInCode(db.reader, "type-b"), await take("type-b")]).toEqual([true, false]);
    expect(await knowsSignInCode(db.reader, "link-b")).toBe(false);
    for (const [index, name] of ["c", "d", "e", "f"].entries()) await keep(name, (index + 1) * HOUR);
    expect([await take("link-c"), await take("link-d"), await take("link-f")]).toEqual([false, true, true]);
    await keep("over", 0);
    await keep("g", HOUR);
    expect([
      await knowsSignInCode(db.reader, "link-over"),
      await take("link-e"),
      await take("link-g"),
    ]).toEqual([false, true, true]);
  });
});
