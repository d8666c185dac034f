/** Tells that twenty browsers on the stream of facts get all of them while they are written fast. */
import { expect, setDefaultTimeout } from "bun:test";
import { ok } from "neverthrow";
import { appendFact, factsAfter, lastSeq } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { doorServer } from "../helpers/door-server.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { memoryServices } from "../helpers/memory-services.ts";

setDefaultTimeout(PATIENCE_MS);

const BROWSERS = 20;
const FACTS = 1_000;
/** Every fourth reader leaves after so many facts, and comes back with the number of its last one. */
const LEAVES_AFTER = 137;
const AT = "2026-01-02T03:04:05.000Z";

onBothDatabases(
  "twenty browsers get every fact once and in order, also those that leave and come back",
  async ({ db }) => {
    const listeners = new Set<() => void>();
    const services = {
      ...memoryServices(),
      facts: async ({ after, limit }: { readonly after: number; readonly limit: number }) =>
        ok(await factsAfter(db.reader, after, limit)),
      lastFact: async () => ok(await lastSeq(db.reader)),
      onFacts: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    await using door = doorServer({ services });

    const read = async (leaves: boolean): Promise<readonly number[]> => {
      const seen: number[] = [];
      while (seen.length < FACTS) {
        const stop = new AbortController();
        const until = leaves ? seen.length + LEAVES_AFTER : FACTS;
        const following = door.client.followFacts({
          after: seen.at(-1) ?? 0,
          signal: stop.signal,
          onOpen: () => undefined,
          onFact: ({ seq }) => {
            // What comes in the same piece as the last one belongs to the next visit.
            if (stop.signal.aborted) return;
            seen.push(seq);
            if (seen.length >= Math.min(until, FACTS)) stop.abort();
          },
        });
        await following;
      }
      return seen;
    };
    const readers = Array.from({ length: BROWSERS }, (_, index) => read(index % 4 === 3));

    const written: number[] = [];
    while (written.length < FACTS) {
      const seqs = await transact(db, async (trx) => {
        const facts: number[] = [];
        for (let i = 0; i < 10; i += 1) {
          const ids = { taskId: "t", attemptId: "a", runId: "r" };
          facts.push(await appendFact(trx, { at: AT, kind: "run.action", ...ids, data: { i } }));
        }
        return facts;
      });
      written.push(...seqs);
      for (const listener of listeners) listener();
    }
    const seen = await Promise.all(readers);
    expect(new Set(seen.map((seqs) => seqs.join(" ")))).toEqual(new Set([written.join(" ")]));
  },
);
