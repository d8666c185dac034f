import { describe, expect } from "bun:test";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { trustedHashes, trustScript } from "../../src/storage/tables/trusted-scripts.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { NOON, sampleRepository } from "./sample-rows.ts";

describe("trusted scripts", () => {
  onBothDatabases("are trusted by their content, in one repository", async ({ db }) => {
    const script = { repositoryId: "repo-1", hash: "aaaa", text: "npm ci", trustedAt: NOON };
    await transact(db, async (trx) => {
      await insertRepository(trx, sampleRepository, "worker-1");
      await trustScript(trx, script);
      await trustScript(trx, script);
      await trustScript(trx, { ...script, hash: "bbbb" });
    });
    expect(await trustedHashes(db.reader, "repo-1")).toEqual(new Set(["aaaa", "bbbb"]));
    expect(await trustedHashes(db.reader, "repo-2")).toEqual(new Set());
  });
});
