/** Holds that what leaves the worktree or reaches the network is told apart by its rule, so that it is approved twice. */
import { expect, test } from "bun:test";
import { reachesOut } from "../../src/contract/words/question-words.ts";
import { whyAskPerson } from "../../src/domain/question/needs-person.ts";

const ask = (wanted: Partial<Parameters<typeof whyAskPerson>[0]>) =>
  whyAskPerson({ command: null, changes: [], fetches: false, ...wanted }, "/work");

test("every rule that asks because of the network or the worktree is known", () => {
  const asked = [ask({ command: "npm install" }), ask({ command: "rm ../other" }), ask({ fetches: true })];
  expect(asked.map((reason) => reason !== null && reachesOut(reason))).toEqual([true, true, true]);
});

test("the agent's own question is approved at once", () => {
  expect(reachesOut({ rule: "The agent asks before it uses this tool." })).toBe(false);
});
