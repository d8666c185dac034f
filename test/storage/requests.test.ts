/** Stores what workers ask each other: exactly one of the two who may act on a request wins. */
import { expect } from "bun:test";
import { sql } from "kysely";
import type { Asked, AskedCall } from "../../src/domain/worker/asked.ts";
import {
  answerChannel,
  answerRequest,
  dropTaken,
  forgetRequest,
  insertRequest,
  requestNow,
  takeRequest,
  withdrawRequest,
} from "../../src/storage/team/requests.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { waitFor } from "../helpers/wait-for.ts";

const CALL: AskedCall = {
  method: "POST",
  path: "/api/v1/runs/r/restore",
  body: '{"words":"gr\u00fc\u00dfe \u{1f331}"}',
  idempotencyKey: null,
  caller: "program",
  actor: { kind: "token", id: "t", name: "bot" },
  access: { id: "t", name: "bot", scope: "write", expiresAt: "2030-01-02T12:00:00.000Z", person: null },
};
const ANSWER = { status: 200, type: "application/json", body: "e30=" };
const MINUTE = 60_000;

const insert = ({ db }: Pick<TestDatabase, "db">, id: string, call = CALL) =>
  insertRequest(db, { id, workerId: "holder", askedBy: "asker", call }, async () => undefined);

const take = (
  { db }: Pick<TestDatabase, "db">,
  id: string,
  more: { worker?: string; withinMs?: number } = {},
) => takeRequest(db, { id, worker: "holder", withinMs: MINUTE, ...more });

onBothDatabases("of a withdrawal and a take at the same moment exactly one wins", async (on) => {
  const elsewhere = { db: await on.open() };
  const won = { taken: 0, withdrawn: 0 };
  for (let round = 0; round < 60; round++) {
    const id = `request-${round}`;
    await insert(on, id);
    const acts = [
      () => take(elsewhere, id).then((asked) => asked !== null),
      () => withdrawRequest(on.db, id),
    ];
    // Each is begun first in half of the rounds.
    const first = round % 2;
    const ends = await Promise.all([acts[first]?.(), acts[1 - first]?.()]);
    const [taken, withdrawn] = first === 0 ? ends : ends.toReversed();
    expect([round, taken, withdrawn]).toEqual([round, !withdrawn, withdrawn]);
    won[taken === true ? "taken" : "withdrawn"] += 1;
    expect((await requestNow(on.db.reader, id)) === null).toBe(withdrawn === true);
  }
  expect(won.taken + won.withdrawn).toBe(60);
});

onBothDatabases("it is taken once, by its worker, and only while it is young", async (on) => {
  await insert(on, "a");
  expect(await take(on, "a", { worker: "another" })).toBe(null);
  expect(await take(on, "a", { withinMs: -MINUTE })).toBe(null);
  const asked = await take(on, "a");
  expect(asked).toEqual({
    id: "a",
    workerId: "holder",
    askedBy: "asker",
    call: CALL,
    createdAt: expect.any(String),
    takenAt: expect.any(String),
    answeredAt: null,
    answer: null,
  } satisfies Asked);
  expect(await take(on, "a")).toBe(null);
  expect(await withdrawRequest(on.db, "a")).toBe(false);
});

onBothDatabases("its answer is there until it is fetched, and ages are those of the database", async (on) => {
  await insert(on, "a");
  expect(await requestNow(on.db.reader, "a")).toEqual({
    answer: null,
    sinceAskedMs: expect.any(Number),
    sinceTakenMs: null,
  });
  await take(on, "a");
  await answerRequest(on.db, { id: "a", answer: ANSWER });
  const now = await requestNow(on.db.reader, "a");
  expect(now?.answer).toEqual(ANSWER);
  expect(now?.sinceTakenMs).toBeGreaterThanOrEqual(0);
  expect(now?.sinceAskedMs).toBeGreaterThanOrEqual(now?.sinceTakenMs ?? 0);
  await forgetRequest(on.db, "a");
  expect(await requestNow(on.db.reader, "a")).toBe(null);
  // Nobody waits for it any more.
  await answerRequest(on.db, { id: "a", answer: ANSWER });
  expect(await requestNow(on.db.reader, "a")).toBe(null);
});

onBothDatabases(
  "a start drops what was begun before it, and old requests go with the next one",
  async (on) => {
    for (const id of ["begun", "waits", "answered"]) await insert(on, id);
    for (const id of ["begun", "answered"]) await take(on, id);
    await answerRequest(on.db, { id: "answered", answer: ANSWER });
    await dropTaken(on.db, "another");
    expect(await requestNow(on.db.reader, "begun")).not.toBe(null);
    await dropTaken(on.db, "holder");
    const left = async () => {
      const found = await on.db.reader.selectFrom("requests").select("id").orderBy("id").execute();
      return found.map(({ id }) => id);
    };
    expect(await left()).toEqual(["answered", "waits"]);
    await sql`update requests set created_at = '2020-01-02T12:00:00.000Z' where id = 'waits'`.execute(
      on.db.writes.kysely,
    );
    await insert(on, "next");
    expect(await left()).toEqual(["answered", "next"]);
  },
);

onBothDatabases("no row is left if the worker cannot be told", async (on) => {
  const failed = insertRequest(
    on.db,
    { id: "a", workerId: "holder", askedBy: "asker", call: CALL },
    async () => {
      throw new Error("no queue");
    },
  );
  await expect(failed).rejects.toThrow("no queue");
  expect(await requestNow(on.db.reader, "a")).toBe(null);
});

onBothDatabases("an answer is told on the channel of its schema", async (on) => {
  if (on.target.kind === "sqlite") return;
  const elsewhere = await on.open();
  const heard: string[] = [];
  let connected = 0;
  const hearing = on.db.hearOthers?.({ onNews: () => undefined, onError: () => undefined });
  await on.db.listen?.(
    await answerChannel(on.db.reader),
    (id) => heard.push(id),
    () => {
      connected += 1;
    },
  );
  await insert(on, "a");
  await waitFor("the session to listen", () => connected > 0);
  await take({ db: elsewhere }, "a");
  await answerRequest(elsewhere, { id: "a", answer: ANSWER });
  await waitFor("the answer to be told", () => heard.includes("a"));
  await hearing?.stop();
});
