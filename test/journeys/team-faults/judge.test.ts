/** Shows the judge one violation of each kind: it names each, and nothing if all is well. */
import { expect, test } from "bun:test";
import { judge, type LeftBehind } from "./judge.ts";

const STATES = [
  ["PENDING", "preparing"],
  ["RUNNING", "agent"],
  ["STAGING", "proving"],
  ["STAGING", "staging"],
  ["STAGING", "checking"],
  ["COMMITTING", null],
  ["PUSHING", null],
  ["SUCCEEDED", null],
] as const;

const facts = STATES.map(([status, phase], index) => ({
  seq: 10 + 2 * index,
  kind: "run.state",
  run: "r1",
  data: { status, phase },
}));

const GOOD: LeftBehind = {
  runs: [
    {
      ...{ id: "r1", state: "working", branch: "tazuna/one", status: "SUCCEEDED", ending: "pushed" },
      ...{ commit: "c1", expected: ["pushed"] },
    },
  ],
  pushes: [{ branch: "tazuna/one", commit: "c1" }],
  facts,
  readers: { here: facts.map(({ seq }) => seq), there: facts.slice(3).map(({ seq }) => seq) },
  copied: [{ branch: "tazuna/one", path: "one.txt", blob: "b1" }],
  trees: { "tazuna/one": { "one.txt": "b1", "README.md": "b0" } },
  cleaned: [
    {
      ...{ id: "a2", state: "removed", removed: 1, edit: "mine", left: [] },
      copies: { "the snapshot": "mine", "the restored worktree": "mine" },
    },
  ],
  left: [],
};
const [cleaned] = GOOD.cleaned;
if (cleaned === undefined) throw new Error("there is an attempt");
const [run] = GOOD.runs;
if (run === undefined) throw new Error("there is a run");
const read = GOOD.readers.here ?? [];

test("a team at which nothing is wrong is let go", () => {
  expect(judge(GOOD)).toEqual([]);
});

const VIOLATIONS: Readonly<Record<string, readonly [Partial<LeftBehind>, string]>> = {
  "a run that goes on": [
    {
      runs: [{ ...run, ending: null, status: "RUNNING", commit: null }],
      pushes: [],
      facts: facts.slice(0, 2),
    },
    "is RUNNING with null, not pushed",
  ],
  "an ending that is not documented": [
    { runs: [{ ...run, ending: "interrupted" }] },
    "with interrupted, not",
  ],
  "two pushes of one branch": [
    { pushes: [...GOOD.pushes, { branch: "tazuna/one", commit: "c2" }] },
    "was pushed as [c1, c2], not as [c1]",
  ],
  "a push of another commit": [
    { pushes: [{ branch: "tazuna/one", commit: "c2" }] },
    "was pushed as [c2], not as [c1]",
  ],
  "no push": [{ pushes: [] }, "was pushed as [], not as [c1]"],
  "a stale write of a state": [
    {
      facts: [
        ...facts,
        { seq: 40, kind: "run.state", run: "r1", data: { status: "RUNNING", phase: "agent" } },
      ],
    },
    "went from SUCCEEDED/ to RUNNING/agent",
  ],
  "a gap in the facts": [
    { readers: { here: read.toSpliced(2, 1) } },
    "the reader here was sent 16 in the place of fact 14",
  ],
  "facts in another order": [
    { readers: { here: [10, 14, 12, ...read.slice(3)] } },
    "the reader here was sent 14 in the place of fact 12",
  ],
  "a fact that came twice": [
    { readers: { here: [...read, 24] } },
    "the reader here was sent 24 in the place of fact undefined",
  ],
  "a reader without facts": [{ readers: { here: [] } }, "the reader here was sent no facts"],
  "an edit that is lost": [{ trees: { "tazuna/one": {} } }, "one.txt of tazuna/one lost its copied edit"],
  "an edit that was changed": [
    { trees: { "tazuna/one": { "one.txt": "b2" } } },
    "one.txt of tazuna/one lost its copied edit",
  ],
  "a clean-up that does not end": [
    { cleaned: [{ ...cleaned, state: "canceled", removed: 0 }] },
    "the cancelled attempt a2 is canceled, not removed",
  ],
  "a clean-up that ends twice": [
    { cleaned: [{ ...cleaned, removed: 2 }] },
    "the attempt a2 was removed 2 times",
  ],
  "a branch that a clean-up leaves": [
    { cleaned: [{ ...cleaned, left: ["the branch"] }] },
    "the clean-up of a2 left the branch",
  ],
  "a cancelled edit that no snapshot has": [
    { cleaned: [{ ...cleaned, copies: { ...cleaned.copies, "the snapshot": null } }] },
    "the snapshot of a2 holds null in the place of its edit",
  ],
  "a cancelled edit that is not restored": [
    { cleaned: [{ ...cleaned, copies: { ...cleaned.copies, "the restored worktree": "theirs" } }] },
    "the restored worktree of a2 holds theirs in the place of its edit",
  ],
  "a process that is left": [{ left: ["process 7 sleep"] }, "left behind: process 7 sleep"],
};

for (const [what, [planted, sentence]] of Object.entries(VIOLATIONS))
  test(`the judge names ${what}`, () => {
    const wrong = judge({ ...GOOD, ...planted });
    expect(wrong.some((each) => each.includes(sentence))).toBe(true);
  });
