import { expect, test } from "bun:test";
import { isOwnChild, rememberChild } from "../../src/utils/processes/own-children.ts";

/** Beyond every number that a system gives out, so that no child of another test has them. */
const [RUNNING, ENDED, NEVER] = [5_000_001, 5_000_002, 5_000_003];

test("a child is known while it runs and a second longer; then its number may be a stranger's", async () => {
  const ended = Promise.resolve();
  rememberChild(RUNNING, new Promise(() => {}));
  rememberChild(ENDED, ended);
  await ended;
  const now = performance.now();
  expect([RUNNING, ENDED, NEVER].map((pid) => isOwnChild(pid, now))).toEqual([true, true, false]);
  expect([RUNNING, ENDED, NEVER].map((pid) => isOwnChild(pid, now + 1100))).toEqual([true, false, false]);
});
