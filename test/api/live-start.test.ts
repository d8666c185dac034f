/** Tells that a document and the facts after its number together miss no change. */
import { describe, expect, test } from "bun:test";
import { ok } from "neverthrow";
import { createClient } from "../../src/contract/client/client.ts";
import { appendFact, factsAfter, lastSeq } from "../../src/storage/tables/facts.ts";
import { insertRepository, listRepositories } from "../../src/storage/tables/repositories.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { doorServer, TOKEN } from "../helpers/door-server.ts";
import { memoryServices } from "../helpers/memory-services.ts";
import { aRepository } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

const AT = "2026-01-02T03:04:05.000Z";

onBothDatabases(
  "a document and the facts after its number miss nothing while others write",
  async ({ db }) => {
    const services = {
      ...memoryServices(),
      repositories: async () =>
        ok(
          (await listRepositories(db.reader, null)).map((one) => ({
            ...one,
            demo: false,
            putAway: false,
          })),
        ),
      lastFact: async () => ok(await lastSeq(db.reader)),
    };
    await using door = doorServer({ services });
    const [READS, WRITES] = [40, 20];
    let writes = 0;
    const isOver = () => read.length >= READS && writes >= WRITES;
    const read: { readonly seq: number; readonly ids: ReadonlySet<string> }[] = [];
    const writing = async () => {
      for (let i = 0; !isOver(); i += 1) {
        await transact(db, async (trx) => {
          const id = `repository-${i}`;
          await insertRepository(trx, aRepository({ id, path: `/r/${i}`, createdAt: AT }), "worker-1");
          const data = { repository: id, state: "added" };
          const ids = { taskId: null, attemptId: null, runId: null };
          await appendFact(trx, { at: AT, kind: "repository.changed", ...ids, data });
        });
        writes += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const written = writing();
    while (!isOver()) {
      let seq = -1;
      const onSeq = (number: number) => {
        seq = number;
      };
      const client = createClient({ url: door.url, token: TOKEN, fetch, onSeq });
      const answer = (await client.repositories())._unsafeUnwrap();
      read.push({ seq, ids: new Set(answer.items.map(({ id }) => id)) });
    }
    await written;
    const all = await listRepositories(db.reader, null);
    for (const { seq, ids } of read) {
      const after = (await factsAfter(db.reader, seq, 100_000)).map(({ data }) => String(data.repository));
      expect(all.filter(({ id }) => !ids.has(id) && !after.includes(id))).toEqual([]);
    }
    expect(read.some(({ ids }) => ids.size > 0 && ids.size < all.length)).toBe(true);
  },
);

describe("the number of an answer", () => {
  test("stands at every answer to a GET that needs a token, and at no other", async () => {
    await using door = doorServer();
    door.services.addFact({});
    door.services.addFact({});
    const seqOf = async (path: string, init?: RequestInit) =>
      (await door.call(`/api/v1${path}`, init)).headers.get("tazuna-seq");
    expect(
      await Promise.all(["/tasks", "/repositories", "/tasks/none", "/runs"].map((path) => seqOf(path))),
    ).toEqual(["2", "2", "2", "2"]);
    expect(await Promise.all(["/health", "/openapi.json"].map((path) => seqOf(path)))).toEqual([null, null]);
    expect(await seqOf("/clean", { method: "POST", body: "{}" })).toBeNull();
    expect((await door.bare("/api/v1/tasks")).headers.get("tazuna-seq")).toBeNull();
  });

  test("is left out if the database does not tell it; the answer comes all the same", async () => {
    await using door = doorServer();
    door.services.breakNext("lastFact");
    const response = await door.call("/api/v1/doctor");
    expect([response.status, response.headers.get("tazuna-seq")]).toEqual([200, null]);
  });
});

describe("a reader of facts that is too far behind", () => {
  const first = async (after: number, facts: number) => {
    await using door = doorServer();
    for (let i = 0; i < facts; i += 1) door.services.addFact({});
    const events: string[] = [];
    const stop = new AbortController();
    const following = door.client.followFacts({
      after,
      signal: stop.signal,
      onOpen: (seq) => void events.push(`open ${seq}`),
      onReset: (seq) => void events.push(`reset ${seq}`),
      onFact: ({ seq }) => void events.push(`fact ${seq}`),
    });
    await waitFor("the first event", () => events.length > 0);
    door.services.addFact({});
    await waitFor("the next fact", () => events.includes(`fact ${facts + 1}`));
    stop.abort();
    await following;
    return events;
  };

  test("is told to read everything again, and gets what comes then", async () => {
    expect(await first(1, 100_002)).toEqual(["reset 100002", "fact 100003"]);
    expect((await first(100, 100_010)).slice(0, 2)).toEqual(["open 100", "fact 101"]);
  });

  test("so is one with a number of another database", async () => {
    expect(await first(9, 3)).toEqual(["reset 3", "fact 4"]);
  });
});
