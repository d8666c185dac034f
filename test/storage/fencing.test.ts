import { describe, expect } from "bun:test";
import fc from "fast-check";
import { isEnded, moveRun as nextState, RUN_EVENTS, type RunEvent } from "../../src/domain/run/state.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { appendFact, factsAfter } from "../../src/storage/tables/facts.ts";
import { releaseLease, renewLeases, takeLease } from "../../src/storage/tables/run-lease.ts";
import { moveRun, updateRun } from "../../src/storage/tables/run-moves.ts";
import { getRun, insertRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleRun } from "./sample-rows.ts";

/** What one of three owners tries, with the epoch it was given last, stale or not. */
type Try =
  | { readonly kind: "take" | "renew" | "expire" | "release" | "update"; readonly owner: number }
  | { readonly kind: "move"; readonly owner: number; readonly event: RunEvent };

const who = fc.nat({ max: 2 });
const tries = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("take", "renew", "expire", "release", "update"),
      owner: who,
    }) as fc.Arbitrary<Try>,
    fc.record({
      kind: fc.constant("move"),
      owner: who,
      event: fc.constantFrom(...RUN_EVENTS),
    }) as fc.Arbitrary<Try>,
  ),
  { minLength: 1, maxLength: 40 },
);

const LONG_MS = 3_600_000;

/** What should be true of the run, kept beside the database. */
class Model {
  epochs: (number | null)[] = [null, null, null];
  holder: number | null = null;
  epoch = 0;
  hasExpired = false;
  state: Parameters<typeof nextState>[0] = { status: "PENDING", phase: "queued" };
  summary: string | null = null;

  /** Whether this owner's last epoch may write. An owner that was never given one does not count. */
  mayWrite(who: number): boolean {
    const epoch = this.epochs[who] ?? null;
    return epoch === null ? this.holder === null : this.holder !== null && epoch === this.epoch;
  }
}

async function attempt(db: Database, id: string, model: Model, one: Try, n: number): Promise<void> {
  const epoch = model.epochs[one.owner] ?? null;
  const held = { id, epoch: epoch ?? -1 };
  const owner = `owner ${one.owner}`;
  const may = model.mayWrite(one.owner);
  switch (one.kind) {
    case "take": {
      const given = await transact(db, (trx) => takeLease(trx, { id, owner, forMs: LONG_MS }));
      const isFree = model.holder === null || model.holder === one.owner || model.hasExpired;
      const isGiven = isFree && !isEnded(model.state.status);
      expect(given).toBe(isGiven ? model.epoch + 1 : null);
      if (!isGiven) return;
      model.epoch += 1;
      model.hasExpired = false;
      model.holder = one.owner;
      model.epochs[one.owner] = model.epoch;
      return;
    }
    case "renew":
    case "expire": {
      const forMs = one.kind === "renew" ? LONG_MS : -1;
      const renewed = await renewLeases(db, { owner, forMs });
      expect(renewed.get(id)).toBe(model.holder === one.owner ? model.epoch : undefined);
      if (model.holder === one.owner) model.hasExpired = one.kind === "expire";
      return;
    }
    case "release":
      expect(await transact(db, (trx) => releaseLease(trx, held))).toBe(
        may && epoch !== null ? "released" : "lost",
      );
      if (may && epoch !== null) model.holder = null;
      return;
    case "update": {
      const set = { summary: `${n} by ${one.owner}` };
      expect(await transact(db, (trx) => updateRun(trx, { id, expect: { epoch }, set }))).toBe(
        may ? "updated" : "lost",
      );
      if (may) model.summary = set.summary;
      return;
    }
    case "move": {
      const next = nextState(model.state, one.event);
      if (next.isErr()) return;
      const to = next.value;
      const moved = await transact(db, (trx) => moveRun(trx, { id, expect: { ...model.state, epoch }, to }));
      expect(moved).toBe(may ? "moved" : "lost");
      if (may) model.state = to;
    }
  }
}

describe("fencing", () => {
  onBothDatabases(
    "lets no owner write whose epoch is not the last one given, whatever happens in whatever order",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(tries, async (all) => {
          runs += 1;
          const id = `property-${runs}`;
          await transact(db, (trx) => insertRun(trx, { ...sampleRun, id }));
          const model = new Model();
          for (const [n, one] of all.entries()) await attempt(db, id, model, one, n);
          const { status, phase, summary, lease } = (await getRun(db.reader, id)) ?? {};
          expect({ status, phase, summary, epoch: lease?.epoch ?? null }).toEqual({
            ...model.state,
            summary: model.summary,
            epoch: model.holder === null ? null : model.epoch,
          });
        }),
        { numRuns: 40 },
      );
    },
    { timeoutMs: 180_000 },
  );

  onBothDatabases("holds while several owners take the run from each other at once", async ({ db, open }) => {
    await transact(db, insertSampleRun);
    const programs = db.kind === "postgres" ? [db, await open(), await open()] : [db, db, db];
    const fact = { at: NOON, taskId: null, attemptId: null, runId: "run-1" };
    /** Takes the run and writes on until it is lost, telling each success in the transaction that made it. */
    const work = async (program: Database, name: string) => {
      const epoch = await transact(program, async (trx) => {
        const given = await takeLease(trx, { id: "run-1", owner: name, forMs: -1 });
        await appendFact(trx, { ...fact, kind: "taken", data: { epoch: given } });
        return given;
      });
      for (let n = 0; n < 6; n++) {
        const written = await transact(program, async (trx) => {
          const set = { summary: `${name} ${n}` };
          const outcome = await updateRun(trx, { id: "run-1", expect: { epoch }, set });
          if (outcome === "updated") await appendFact(trx, { ...fact, kind: "written", data: { epoch } });
          return outcome;
        });
        if (written === "lost") return;
      }
    };
    await Promise.all(
      programs.map(async (program, p) => {
        for (let round = 0; round < 5; round++) await work(program, `${p}.${round}`);
      }),
    );
    const facts = await factsAfter(db.reader, 0, 10_000);
    const epochs = facts.map(({ data }) => Number(data.epoch));
    // Nothing of an earlier epoch follows a later one.
    expect(epochs).toEqual([...epochs].sort((a, b) => a - b));
    expect(facts.filter(({ kind }) => kind === "taken").length).toBe(15);
    expect((await getRun(db.reader, "run-1"))?.lease?.epoch).toBe(15);
  });
});
