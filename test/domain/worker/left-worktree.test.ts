/** Which folders were left, and which pushes of them a depot takes (ADR 0097). */
import { expect, test } from "bun:test";
import {
  isOffer,
  type LeftWorktree,
  leftRef,
  mayPushLeft,
  readLeftRef,
  strangeFolders,
} from "../../../src/domain/worker/left-worktree.ts";

const LEFT: LeftWorktree = {
  attemptId: "a1",
  workerId: "w1",
  path: "/home/worktrees/one",
  sha: "1".repeat(40),
  base: "2".repeat(40),
  files: 3,
  notContained: [],
  state: "kept",
  takenAt: "2026-11-29T00:00:00.000Z",
  endedAt: null,
};

test("a folder was left if nobody here works in it, and if it was not kept before", () => {
  const found = { names: ["one", "two", "three"], own: ["/here/two"], known: ["/here/three"] };
  expect(strangeFolders(found)).toEqual(["one"]);
});

test("the name of a reference says whose it is; another name is none", () => {
  expect(readLeftRef(leftRef(LEFT))).toEqual({ attemptId: "a1", workerId: "w1" });
  for (const name of ["refs/tazuna/returned/a1", "refs/tazuna/returned/a1/w1/x", "refs/heads/returned/a1/w1"])
    expect(readLeftRef(name)).toBeNull();
});

test("a worker pushes the commit that it has kept, and nothing else", () => {
  const push = { ref: leftRef(LEFT), to: LEFT.sha, worker: "w1" };
  expect(mayPushLeft(push, LEFT)).toBe(true);
  expect(mayPushLeft(push, null)).toBe(false);
  expect(mayPushLeft({ ...push, to: LEFT.base }, LEFT)).toBe(false);
  expect(mayPushLeft({ ...push, worker: "w2" }, LEFT)).toBe(false);
  expect(mayPushLeft({ ...push, ref: "refs/tazuna/returned/a2/w1" }, LEFT)).toBe(false);
  for (const state of ["offered", "same", "restored", "discarded"] as const)
    expect(mayPushLeft(push, { ...LEFT, state })).toBe(false);
});

test("a person is told until they have decided", () => {
  const told = (["kept", "offered", "same", "restored", "discarded"] as const).filter((state) =>
    isOffer({ state }),
  );
  expect(told).toEqual(["kept", "offered"]);
});
