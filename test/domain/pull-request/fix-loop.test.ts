import { describe, expect, test } from "bun:test";
import { decideLoop } from "../../../src/domain/pull-request/fix-loop.ts";
import { aCheck, aHanded, aThread, aTracked, HEAD } from "./sample-tracked.ts";

const ENDED = { id: "run-1", ended: true, stopped: false, removed: false };
const FACTS = {
  enabled: true,
  attempts: 3,
  tracked: aTracked({ checks: [aCheck("test")] }),
  attempt: { open: true, runs: [ENDED] },
};

type Facts = Parameters<typeof decideLoop>[0];

const after = (
  handed: readonly ReturnType<typeof aHanded>[],
  more: Partial<Facts["tracked"]> = {},
): Facts => ({
  ...FACTS,
  tracked: aTracked({ checks: [aCheck("test")], handed: [...handed], ...more }),
  attempt: { open: true, runs: [ENDED, ...handed.map(({ run }) => ({ ...ENDED, id: run }))] },
});

const run = (at: number) => ({ run: `run-${at}`, head: "b".repeat(40), checks: ["test"] });

/** What it does, or why it does nothing. */
function told(facts: Facts): string {
  const verdict = decideLoop(facts);
  if (!verdict.act) return verdict.why;
  const { points, round } = verdict;
  const names = [...points.checks.map(({ name }) => name), ...points.threads.map(({ id }) => id)];
  return `${round}: ${names.join(" ")}`;
}

describe("the loop", () => {
  const cases: readonly (readonly [string, Facts, string])[] = [
    ["is off unless it is switched on", { ...FACTS, enabled: false }, "off"],
    ["is off if no round is allowed", { ...FACTS, attempts: 0 }, "off"],
    ["sends a failed check", FACTS, "1: test"],
    ["leaves a merged pull request alone", after([], { state: "merged" }), "not_open"],
    ["leaves a closed pull request alone", after([], { state: "closed" }), "not_open"],
    [
      "leaves an attempt that was put away alone",
      { ...FACTS, attempt: { open: false, runs: [ENDED] } },
      "not_open",
    ],
    [
      "waits while a run works, is queued or is held",
      {
        ...FACTS,
        attempt: { open: true, runs: [ENDED, { id: "run-2", ended: false, stopped: false, removed: false }] },
      },
      "busy",
    ],
    [
      "does not go on where a person stopped it",
      { ...FACTS, attempt: { open: true, runs: [{ ...ENDED, stopped: true, removed: false }] } },
      "stopped",
    ],
    [
      "waits until all checks have ended",
      after([], { checks: [aCheck("test"), aCheck("lint", "pending")] }),
      "checks_pending",
    ],
    ["does nothing if nothing failed", after([], { checks: [aCheck("test", "passed")] }), "nothing_new"],
    ["sends the same failure of the same commit once", after([aHanded({ checks: ["test"] })]), "nothing_new"],
    [
      "may send again what a run was given that a person took out of the queue before it began",
      {
        ...after([aHanded({ run: "run-2", checks: ["test"] })]),
        attempt: {
          open: true,
          runs: [ENDED, { ...ENDED, id: "run-2", stopped: true, removed: true }, { ...ENDED, id: "run-3" }],
        },
      },
      "1: test",
    ],
    ["sends it again if it fails on another commit", after([aHanded(run(2))]), "2: test"],
    [
      "sends it again if more checks fail on the same commit",
      after([aHanded({ checks: ["test"] })], { checks: [aCheck("test"), aCheck("lint")] }),
      "2: test lint",
    ],
    ["stops after three rounds", after([2, 3, 4].map((at) => aHanded(run(at)))), "cap_reached"],
    [
      "begins to count anew after a run that a person asked for",
      {
        ...after([2, 3, 4].map((at) => aHanded(run(at)))),
        attempt: {
          open: true,
          runs: ["run-1", "run-2", "run-3", "run-4", "run-5"].map((id) => ({ ...ENDED, id })),
        },
      },
      "1: test",
    ],
    [
      "counts what a person sent on as a person's act",
      after([aHanded(run(2)), aHanded({ ...run(3), by: "person" })]),
      "1: test",
    ],
    ["sends a review comment", after([], { checks: [], threads: [aThread("t", ["Why?"])] }), "1: t"],
    [
      "never answers its own comment",
      after([], { checks: [], threads: [aThread("t", ["Why?", "ours"])] }),
      "nothing_new",
    ],
    [
      "leaves a resolved thread alone",
      after([], { checks: [], threads: [aThread("t", ["Why?"], { resolved: true })] }),
      "nothing_new",
    ],
    [
      "sends each comment once",
      after([aHanded({ comments: ["t-1"] })], { checks: [], threads: [aThread("t", ["Why?"])] }),
      "nothing_new",
    ],
    [
      "sends a thread again if somebody wrote more",
      after([aHanded({ comments: ["t-1"] })], {
        checks: [],
        threads: [aThread("t", ["Why?", "And why here?"])],
      }),
      "2: t",
    ],
  ];
  for (const [title, facts, expected] of cases) test(title, () => expect(told(facts)).toBe(expected));
});

test("a forge that says nothing of a commit is no failure", () => {
  expect(HEAD).toHaveLength(40);
  expect(told(after([], { checks: [] }))).toBe("nothing_new");
});
