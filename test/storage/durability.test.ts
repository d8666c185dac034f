import { describe, expect } from "bun:test";
import { join } from "node:path";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { factsAfter } from "../../src/storage/tables/facts.ts";
import { runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun } from "./sample-rows.ts";

const PROGRAM = join(import.meta.dir, "programs/write-until-killed.ts");

/** Lets a process write until it has acknowledged so much, kills it, and answers everything it acknowledged. */
async function writeAndDie(on: TestDatabase, round: number, acknowledgements: number): Promise<string[]> {
  const argv = [process.execPath, PROGRAM, JSON.stringify(on.target), on.backupDir, String(round)];
  const child = Bun.spawn(argv, { stdout: "pipe", cwd: "/" });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length > acknowledgements) child.kill("SIGKILL");
  }
  await child.exited;
  return said.split("\n").slice(0, -1);
}

interface Stored {
  readonly runs: string[];
  readonly facts: string[];
}

/**
 * What the database says once two looks are the same. A server may still be ending a dead client's last transaction.
 */
async function stored(db: Database): Promise<Stored> {
  let before = "";
  return waitFor("the database to be still", async () => {
    const now = await storedNow(db);
    const same = JSON.stringify(now) === before;
    before = JSON.stringify(now);
    return same ? now : null;
  });
}

/** In the words in which the writer acknowledges it. */
async function storedNow(db: Database): Promise<Stored> {
  const written = (await runsOfAttempt(db.reader, "attempt-1")).filter(({ id }) => id !== "run-1");
  const moved = written.filter(({ phase }) => phase === "preparing");
  return {
    runs: [...written.map(({ id }) => `added ${id}`), ...moved.map(({ id }) => `moved ${id}`)].sort(),
    facts: (await factsAfter(db.reader, 0, 1_000_000)).map(({ kind, runId }) => `${kind} ${runId}`).sort(),
  };
}

describe("a writer that is killed again and again", () => {
  onBothDatabases(
    deep(
      "loses nothing that it acknowledged, and leaves no change without its fact nor a fact without its change",
    ),
    async (on) => {
      await transact(on.db, insertSampleRun);
      // On SQLite no other process has the file open, so that each round recovers it.
      await on.db.close();
      const acknowledged: string[] = [];
      for (const [round, amount] of [1, 2, 3, 10, 25, 4, 40, 17].entries()) {
        const more = await writeAndDie(on, round, amount);
        expect(more.length).toBeGreaterThanOrEqual(amount);
        acknowledged.push(...more);
        const db = await on.open();
        const { runs, facts } = await stored(db);
        await db.close();
        expect(facts).toEqual(runs);
        expect(acknowledged.filter((line) => !runs.includes(line))).toEqual([]);
        // At most one transaction of each round was done and not yet acknowledged.
        expect(runs.length - acknowledged.length).toBeLessThanOrEqual(round + 1);
      }
    },
  );
});
