import { describe, expect } from "bun:test";
import type { Operation } from "../../src/domain/operation.ts";
import { attemptsToClean } from "../../src/storage/queries/attempts-to-clean.ts";
import { operationsOfKinds } from "../../src/storage/queries/find-operations.ts";
import {
  attemptsOfOthers,
  claimRows,
  otherWorkerOf,
  snapshotsOfOthers,
} from "../../src/storage/queries/rows-of-worker.ts";
import type { Reader, WriteTransaction } from "../../src/storage/schema/schema.ts";
import { insertAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { insertOperation, intendedOperations } from "../../src/storage/tables/operations.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt } from "./sample-rows.ts";

const act = (id: string, kind = "trash"): Omit<Operation, "commands"> => ({
  id,
  kind,
  subject: { type: "attempt", id: `of-${id}` },
  before: null,
  after: null,
  status: "intended",
  undoable: false,
  actor: null,
  at: NOON,
  endedAt: null,
});

/** Attempts `mine`, `theirs` and `nobodys`, cancelled, with an act of each that was begun. */
async function insertRows(trx: WriteTransaction): Promise<void> {
  await insertSampleRun(trx);
  for (const [id, workerId] of [
    ["mine", "a"],
    ["theirs", "b"],
    ["nobodys", undefined],
  ] as const) {
    await insertAttempt(trx, { ...sampleAttempt, id, worktree: `/data/worktrees/${id}` });
    const held = workerId === undefined ? {} : { workerId };
    await updateAttempt(trx, { id, set: { state: "canceled", ...held } });
    await insertOperation(trx, { ...act(id), ...held });
  }
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

const ownersOf = async (db: Reader, table: "attempts" | "operations") =>
  Object.fromEntries(
    (await db.selectFrom(table).select(["id", "workerId"]).execute()).map(({ id, workerId }) => [
      id,
      workerId,
    ]),
  );

describe("rows of several workers", () => {
  onBothDatabases("are found for one worker, with those of nobody, or for all", async ({ db }) => {
    await transact(db, insertRows);
    const of = async (worker: string | null) => [
      idsOf(await intendedOperations(db.reader, worker)),
      idsOf(await operationsOfKinds(db.reader, ["trash"], null, worker)),
      [...(await attemptsToClean(db.reader, worker))].sort(),
    ];
    const both = ["mine", "nobodys"];
    const all = ["mine", "nobodys", "theirs"];
    expect(await of("a")).toEqual([both, both, both]);
    expect(await of(null)).toEqual([all, all, all]);
  });

  onBothDatabases("name the other worker, and none for one's own and nobody's", async ({ db }) => {
    await transact(db, insertRows);
    const other = (table: "attempts" | "operations", id: string) =>
      otherWorkerOf(db.reader, { table, id, than: "a" });
    for (const table of ["attempts", "operations"] as const)
      expect(await Promise.all(["mine", "theirs", "nobodys", "gone"].map((id) => other(table, id)))).toEqual([
        null,
        "b",
        null,
        null,
      ]);
    const held = (among: readonly string[] | null) => attemptsOfOthers(db.reader, { than: "a", among });
    expect([...(await held(null))]).toEqual(["theirs"]);
    expect([...(await held(["mine", "nobodys"]))]).toEqual([]);
    expect([...(await held([]))]).toEqual([]);
    await transact(db, async (trx) => {
      await insertOperation(trx, { ...act("s1", "snapshot"), workerId: "b" });
      await insertOperation(trx, { ...act("s2", "snapshot"), workerId: "a" });
      await insertOperation(trx, act("s3", "snapshot"));
    });
    expect([...(await snapshotsOfOthers(db.reader, "a"))]).toEqual(["of-s1"]);
  });

  onBothDatabases("of nobody are claimed once, without worktrees that were never begun", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertRows(trx);
      const base = { branch: "main", sha: "abc" };
      for (const [id, set] of [
        ["made", { gitDir: "/r/.git/worktrees/x" }],
        ["begun", { base }],
      ] as const) {
        await insertAttempt(trx, { ...sampleAttempt, id, worktree: `/data/worktrees/${id}` });
        await updateAttempt(trx, { id, set });
      }
    });
    await transact(db, (trx) => claimRows(trx, "a"));
    await transact(db, (trx) => claimRows(trx, "c"));
    expect(await ownersOf(db.reader, "operations")).toEqual({ mine: "a", theirs: "b", nobodys: "a" });
    expect(await ownersOf(db.reader, "attempts")).toEqual({
      "attempt-1": null,
      begun: "a",
      made: "a",
      mine: "a",
      nobodys: null,
      theirs: "b",
    });
  });
});
