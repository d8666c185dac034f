/** Holds for every combination of what the four ledgers may say. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Explanation, keyOf } from "../../../src/domain/ledgers/explanation.ts";
import type { Ledgers } from "../../../src/domain/ledgers/ledgers.ts";
import { reconcile } from "../../../src/domain/ledgers/reconcile.ts";
import { anyLedgers, ROOT, shuffled } from "./world.ts";

const RUNS = { numRuns: 300 };

const mayGo = ({ standing }: Explanation) => standing === "stale";

function everything({ disk, git, processes }: Ledgers): string[] {
  return [
    ...disk.map(({ path }) => keyOf.disk(path)),
    ...git.flatMap(({ commonDir, registrations, refs }) => [
      ...registrations.map(({ path }) => keyOf.registration(commonDir, path)),
      ...refs.map((name) => keyOf.ref(commonDir, name)),
    ]),
    ...processes.map(({ pid }) => keyOf.process(pid)),
  ].sort();
}

/** What a living attempt owns, said without the code that is tested. */
function livingThings({ database, git }: Ledgers): ReadonlySet<string> {
  const living = database.attempts.filter(({ state }) => state !== "removed");
  const ids = living.map(({ id }) => id);
  return new Set([
    ...living.flatMap(({ id, worktree, branch }) => [
      keyOf.disk(worktree),
      keyOf.disk(`${ROOT}/attempts/${id}`),
      ...git.flatMap(({ commonDir }) => [
        keyOf.registration(commonDir, worktree),
        keyOf.ref(commonDir, `refs/heads/${branch}`),
        keyOf.ref(commonDir, `refs/tazuna/snapshots/${id}/1`),
      ]),
    ]),
    ...database.runs
      .filter(({ attemptId }) => ids.includes(attemptId))
      .map(({ id }) => keyOf.disk(`${ROOT}/runs/${id}`)),
  ]);
}

describe("reconcile, for any ledgers", () => {
  test("every thing on the disk, in git and in the process table is in exactly one explanation", () => {
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        expect(
          reconcile(ledgers)
            .flatMap(({ covers }) => covers)
            .sort(),
        ).toEqual(everything(ledgers));
      }),
      RUNS,
    );
  });

  test("nothing is both unexplained and free to go, and nothing unexplained is repaired", () => {
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        const unexplained = reconcile(ledgers).filter(({ standing }) => standing === "unexplained");
        expect(unexplained.filter((each) => mayGo(each) || each.repair !== null)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("nothing of another data folder is lost, unfinished, free to go or repaired", () => {
    fc.assert(
      fc.property(anyLedgers, fc.integer({ min: 1, max: 3 }), (ledgers, nth) => {
        const attempts = ledgers.database.attempts.map((attempt, at) => ({
          ...attempt,
          elsewhere: at % nth === 0,
        }));
        const theirs = new Set(attempts.filter(({ elsewhere }) => elsewhere).map(({ id }) => id));
        const { putAside, unfinishedOperations, snapshots } = ledgers.database;
        const database = {
          ...ledgers.database,
          attempts,
          // What another worker did is not gathered.
          putAside: putAside.filter(({ attemptId }) => !theirs.has(attemptId)),
          unfinishedOperations: unfinishedOperations.filter(({ subject }) => !theirs.has(subject.id)),
          snapshots: snapshots.filter(({ attemptId }) => !theirs.has(attemptId)),
        };
        const all = reconcile({ ...ledgers, database });
        const isJudged = ({ standing, repair }: Explanation) =>
          repair !== null || ["lost", "unfinished", "stale"].includes(standing);
        expect(all.filter((each) => isJudged(each) && theirs.has(each.owner?.id ?? ""))).toEqual([]);
        expect(all.flatMap(({ covers }) => covers).sort()).toEqual(everything(ledgers));
      }),
      RUNS,
    );
  });

  test("nothing that a living attempt owns may go", () => {
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        const living = livingThings(ledgers);
        const going = reconcile(ledgers).filter(mayGo);
        expect(going.flatMap(({ covers }) => covers.filter((key) => living.has(key)))).toEqual([]);
      }),
      RUNS,
    );
  });

  test("what may go is known to the database, and no file of it holds anything that was not proven", () => {
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        const { attempts, putAside, repositories } = ledgers.database;
        const proven = putAside.filter(({ as }) => as === "purge").map(({ path }) => path);
        const there = ledgers.disk.map(({ path }) => path);
        const removed = attempts
          .filter(({ state, worktree }) => state === "removed" && !there.includes(worktree))
          .flatMap(({ repositoryId, worktree }) => {
            const of = repositories.find(({ id }) => id === repositoryId);
            return of === undefined ? [] : [`registration:${of.commonDir}:${worktree}`];
          });
        for (const { path, id } of reconcile(ledgers).filter(mayGo))
          if (id.startsWith("registration:")) expect(removed).toContain(id);
          else expect(proven).toContain(path ?? "");
      }),
      RUNS,
    );
  });

  test("with an empty database nothing may go, nothing is repaired, and all that looks like ours is unexplained", () => {
    const nothing = {
      repositories: [],
      making: [],
      attempts: [],
      runs: [],
      putAside: [],
      unfinishedOperations: [],
      snapshots: [],
    };
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        const forgotten = reconcile({ ...ledgers, database: nothing });
        expect(forgotten.filter((each) => mayGo(each) || each.repair !== null)).toEqual([]);
        const standings = new Set(
          forgotten
            .filter(({ id }) => /^(worktrees|trash|ignored|runs|attempts|refs:[^:]*:refs\/tazuna)/.test(id))
            .map(({ standing }) => standing),
        );
        expect([...standings].filter((standing) => standing !== "unexplained")).toEqual([]);
      }),
      RUNS,
    );
  });

  test("what could not be read proves nothing: no attempt of an unreadable repository lost its branch or its snapshots", () => {
    fc.assert(
      fc.property(anyLedgers, (ledgers) => {
        const unreadable = {
          ...ledgers,
          git: ledgers.git.map((one) => ({ ...one, readable: false, refs: [], registrations: [] })),
        };
        const lost = reconcile(unreadable).filter(({ standing }) => standing === "lost");
        expect(
          lost.filter(({ id, what }) => id.startsWith("snapshots:") || what.includes("and so is its branch")),
        ).toEqual([]);
      }),
      RUNS,
    );
  });

  test("the order of what was gathered makes no difference, and every id is there once", () => {
    fc.assert(
      fc.property(anyLedgers, fc.integer(), (ledgers, seed) => {
        const first = reconcile(ledgers);
        expect(reconcile(shuffled(ledgers, seed))).toEqual(first);
        expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
      }),
      RUNS,
    );
  });
});
