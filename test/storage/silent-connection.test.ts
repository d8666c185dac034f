import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { openDatabase } from "../../src/storage/database.ts";
import { STATEMENT_MS } from "../../src/storage/postgres/postgres-pool.ts";
import { StorageFailure } from "../../src/storage/schema/storage-error.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { silentLine } from "../helpers/silent-line.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { insertSampleRun } from "./sample-rows.ts";

const title =
  "a connection that is dropped without a word is given up after ten seconds, and the next one works";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
  async () => {
    const url = await postgresUrl();
    await using line = await silentLine(url);
    await using backups = await tempDir();
    const schema = `test_${randomBytes(8).toString("hex")}`;
    const options = { backupDir: backups.path, programVersion: "0.1.0" };
    const db = (await openDatabase({ kind: "postgres", url: line.url, schema }, options))._unsafeUnwrap();
    try {
      await transact(db, insertSampleRun);
      line.drop();
      const droppedAt = performance.now();
      const failure = await getRun(db.reader, "run-1").catch((error: unknown) => error);
      expect(failure instanceof StorageFailure && failure.storage.code).toBe("database_unreachable");
      const took = performance.now() - droppedAt;
      expect(took).toBeGreaterThanOrEqual(STATEMENT_MS - 100);
      expect(took).toBeLessThan(STATEMENT_MS + 3_000);
      await transact(db, (trx) =>
        trx.updateTable("runs").set({ instruction: "kept" }).where("id", "=", "run-1").execute(),
      );
      expect((await getRun(db.reader, "run-1"))?.instruction).toBe("kept");
    } finally {
      await db.close();
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`drop schema if exists ${schema} cascade`);
      await client.end();
    }
  },
  120_000,
);
