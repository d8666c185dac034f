/** Tells what a depot may forget, and what it keeps whatever happens. */
import { expect, test } from "bun:test";
import { type CopiedAttempt, needlessRefs } from "../../src/domain/depot/needless-refs.ts";

const live = (run: string, epoch: number, number: number) => `refs/tazuna/live/a/${run}/${epoch}/${number}`;
const snapshot = (number: number) => `refs/tazuna/snapshots/a/${number}`;

const attempt = (about: Partial<CopiedAttempt>): ReadonlyMap<string, CopiedAttempt> =>
  new Map([["a", { id: "a", ref: null, dropped: new Set(), unfinished: new Map(), ...about }]]);

test("copies that a newer one replaced go, but the one before the newest, and newer ones, stay", () => {
  const refs = [1, 2, 3, 4, 5].map((number) => live("r", 2, number));
  expect(needlessRefs(refs, attempt({ ref: live("r", 2, 4) }))).toEqual(refs.slice(0, 2));
});

test("copies of earlier leases go, and those of a later lease stay until one of them is stored", () => {
  const refs = [live("r", 1, 9), live("r", 2, 1), live("r", 3, 1)];
  expect(needlessRefs(refs, attempt({ ref: live("r", 2, 1) }))).toEqual([live("r", 1, 9)]);
});

test("copies of another run go, unless it works under just that lease", () => {
  const refs = [live("old", 1, 1), live("next", 1, 1), live("next", 2, 1)];
  const unfinished = new Map([["next", 2]]);
  const gone = [live("old", 1, 1), live("next", 1, 1)];
  expect(needlessRefs(refs, attempt({ ref: live("r", 1, 1), unfinished }))).toEqual(gone);
  expect(needlessRefs(refs, attempt({ ref: snapshot(3), unfinished }))).toEqual(gone);
});

test("a snapshot goes once it was dropped, and never as the newest copy", () => {
  const refs = [1, 2, 3].map(snapshot);
  expect(needlessRefs(refs, attempt({ dropped: new Set([1]), ref: live("r", 1, 1) }))).toEqual([snapshot(1)]);
  expect(needlessRefs(refs, attempt({ dropped: new Set([1, 2, 3]), ref: snapshot(3) }))).toEqual([
    snapshot(1),
    snapshot(2),
  ]);
});

test("what the database does not know stays: other names, other attempts, attempts without a stored copy", () => {
  const refs = [
    live("r", 1, 1),
    snapshot(1),
    "refs/heads/main",
    "refs/tazuna/other",
    "refs/tazuna/live/b/r/1/1",
  ];
  expect(needlessRefs(refs, attempt({}))).toEqual([]);
  expect(needlessRefs(refs, new Map())).toEqual([]);
});
