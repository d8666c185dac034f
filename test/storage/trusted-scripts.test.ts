import { describe, expect } from "bun:test";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { trustedHashes, trustedScriptsOf, trustScript } from "../../src/storage/tables/trusted-scripts.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { NOON, sampleRepository } from "./sample-rows.ts";

const BOT = { kind: "token", id: "t", name: "bot" } as const;

describe("trusted scripts", () => {
  onBothDatabases("are trusted by their content, in one repository", async ({ db }) => {
    const script = { repositoryId: "repo-1", hash: "aaaa", text: "npm ci", trustedAt: NOON, actor: BOT };
    await transact(db, async (trx) => {
      await insertRepository(trx, sampleRepository, "worker-1");
      await trustScript(trx, script);
      await trustScript(trx, script);
      await trustScript(trx, { ...script, hash: "bbbb" });
    });
    expect(await trustedHashes(db.reader, "repo-1")).toEqual(new Set(["aaaa", "bbbb"]));
    // The first word counts.
    await transact(db, (trx) => trustScript(trx, { ...script, actor: null }));
    const trusted = await trustedScriptsOf(db.reader, "repo-1");
    expect(trusted.map(({ actor }) => actor)).toEqual([BOT, BOT]);
    expect(await trustedHashes(db.reader, "repo-2")).toEqual(new Set());
  });
});
