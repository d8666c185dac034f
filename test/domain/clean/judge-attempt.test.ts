/** Tells which attempts a clean-up may take: each sign of work in one keeps it, unless it is named. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type AttemptFacts, judgeAttempt, type Work } from "../../../src/domain/clean/judge-attempt.ts";
import { isEnded, RUN_STATUSES } from "../../../src/domain/run/state.ts";

const SAFE: Extract<Work, { of: "known" }> = {
  of: "known",
  uncommitted: [],
  unwatched: [],
  submodules: [],
  operation: null,
  linked: true,
  onBranch: true,
  heldElsewhere: true,
};

const FINISHED: AttemptFacts = {
  id: "attempt-1",
  branch: "tazuna/1",
  worktree: "/data/worktrees/run_1",
  state: "open",
  cleanUp: null,
  named: false,
  runs: [
    { id: "run-1", status: "FAILED", held: false },
    { id: "run-2", status: "SUCCEEDED", held: false },
  ],
  place: "there",
  made: true,
  locked: null,
  pids: [],
  mergedInto: null,
  work: SAFE,
};

test("an attempt whose last run succeeded, with nothing uncommitted and its commits elsewhere, goes", () => {
  expect(judgeAttempt(FINISHED).go).toBe(true);
});

test("commands that a remedy names can be typed: they have the ids that they need", () => {
  const going = (more: { readonly status: "PENDING" | "PUSHING"; readonly held: boolean }) =>
    judgeAttempt({ ...FINISHED, runs: [{ id: "0123456789", ...more }] });
  expect([
    going({ status: "PENDING", held: true }),
    going({ status: "PUSHING", held: false }),
    judgeAttempt({ ...FINISHED, pids: [12, 13] }),
  ]).toMatchObject([
    { remedy: "`tazuna continue attempt-` lets it go on, `tazuna stop 01234567` takes it away." },
    { remedy: "`tazuna wait attempt-` waits for it, `tazuna stop 01234567` stops it." },
    {
      remedy: "`ps -p 12,13 -o pid,etime,args` shows what it is; end it (`kill 12 13`), then try again.",
    },
  ]);
});

test("what is merged goes by its own word, however its runs ended and wherever its commits are", () => {
  const work = { ...SAFE, heldElsewhere: false };
  const runs = [{ id: "run-1", kind: "agent", status: "FAILED", held: false }] as const;
  const merged = { ...FINISHED, runs, work, mergedInto: "main" };
  const why = "It is merged into main, and nothing in it is uncommitted.";
  expect(judgeAttempt(merged)).toEqual({ go: true, why });
  expect(judgeAttempt({ ...merged, place: "gone", work: { of: "not_asked" } }).go).toBe(true);
  expect(judgeAttempt({ ...merged, work: { ...work, uncommitted: ["a.txt"] } }).go).toBe(false);
});

test("an attempt that never had a worktree goes, however its run ended", () => {
  const runs = [{ id: "run-1", kind: "agent", status: "FAILED", held: false }] as const;
  const never = { ...FINISHED, runs, made: false, place: "gone", work: { of: "not_asked" } } as const;
  expect(judgeAttempt(never)).toEqual({
    go: true,
    why: "It never had a worktree: it only goes from the list.",
  });
});

test("a named one says what is uncommitted, file by file", () => {
  const uncommitted = ["a", "b", "c", "d"];
  const { why } = judgeAttempt({ ...FINISHED, named: true, work: { ...SAFE, uncommitted } });
  expect(why).toBe("It was named. It holds what is not committed: a, b, c, d. A snapshot is taken first.");
});

test("one that a machine came back with edits of stays until somebody decides, or it is named", () => {
  const facts = { ...FINISHED, cameBack: ["mac-7"] };
  expect(judgeAttempt(facts)).toEqual({
    go: false,
    why: "mac-7 came back with edits that it does not have.",
    remedy:
      "`tazuna diff attempt- --from mac-7` shows them; `tazuna restore attempt- --from mac-7` brings them in, and with `--discard` drops the offer.",
  });
  expect(judgeAttempt({ ...facts, mergedInto: "main" }).go).toBe(false);
  expect(judgeAttempt({ ...facts, named: true }).go).toBe(true);
});

test("a named one whose worktree is gone promises no snapshot", () => {
  const { why } = judgeAttempt({ ...FINISHED, named: true, place: "gone", work: { of: "not_asked" } });
  expect(why).toBe("It was named. Its worktree is gone; a follow-up would make it again.");
});

describe("what keeps it unless it is named", () => {
  const cases: Readonly<Record<string, Partial<AttemptFacts>>> = {
    "Its last run failed.": { runs: [{ id: "run-1", status: "FAILED", held: false }] },
    "Its last run was stopped.": { runs: [{ id: "run-1", status: "CANCELED", held: false }] },
    "Its worktree is gone; a follow-up would make it again.": { place: "gone", work: { of: "not_asked" } },
    "Git cannot say what is in it: no.": { work: { of: "unknown", message: "no" } },
    "What is in it is not known.": { work: { of: "not_asked" } },
    "A merge is in progress in it.": { work: { ...SAFE, operation: "merge" } },
    "Its .git is not the file that git made for it.": { work: { ...SAFE, linked: false } },
    "Its HEAD is not on its branch tazuna/1.": { work: { ...SAFE, onBranch: false } },
    "It holds what is not committed: a, b, c and 1 more.": {
      work: { ...SAFE, uncommitted: ["a", "b", "c", "d"] },
    },
    "Git was told not to look at what it holds: a.": { work: { ...SAFE, unwatched: ["a"] } },
    "It holds submodules that may hold work: sub.": { work: { ...SAFE, submodules: ["sub"] } },
    "Its commits are neither on a remote nor on another branch.": { work: { ...SAFE, heldElsewhere: false } },
  };
  for (const [why, facts] of Object.entries(cases))
    test(why, () => {
      const verdict = judgeAttempt({ ...FINISHED, ...facts });
      expect(verdict).toEqual({
        go: false,
        why,
        remedy: "`tazuna clean attempt- --yes` takes it anyway.",
      });
      expect(judgeAttempt({ ...FINISHED, ...facts, named: true }).go).toBe(true);
    });
});

const WAITING = { id: "run-3", status: "RUNNING", phase: "waiting", held: false } as const;

describe("what keeps it even if it is named", () => {
  const cases: Readonly<Record<string, Partial<AttemptFacts>>> = {
    "It was cleaned up before.": { state: "removed" },
    "It was cancelled, and its clean-up goes on.": { state: "canceled" },
    "A follow-up is held.": { runs: [...FINISHED.runs, { id: "run-3", status: "PENDING", held: true }] },
    "A run goes on.": { runs: [...FINISHED.runs, { id: "run-3", status: "PUSHING", held: false }] },
    "A run is in the queue.": { runs: [{ id: "run-3", status: "PENDING", phase: "queued", held: false }] },
    "A run waits for your answer.": { runs: [{ ...WAITING, resumeAt: null }] },
    "A run waits for the limit of its login.": {
      runs: [{ ...WAITING, resumeAt: "2026-01-02T15:30:00.000Z" }],
    },
    "Something else lies at /data/worktrees/run_1.": { place: "replaced" },
    "A process (7) works in it or belongs to it.": { pids: [7, 8] },
    "A person locked it (mine).": { locked: "mine" },
  };
  for (const [why, facts] of Object.entries(cases))
    test(why, () => {
      for (const named of [false, true])
        expect(judgeAttempt({ ...FINISHED, ...facts, named })).toMatchObject({ go: false, why });
    });
});

test("for any facts: nothing with a living run or process goes, and nothing unnamed that is not proven safe", () => {
  const work: fc.Arbitrary<Work> = fc.oneof(
    fc.constant<Work>({ of: "not_asked" }),
    fc.record({ of: fc.constant("unknown" as const), message: fc.string() }),
    fc.record({
      of: fc.constant("known" as const),
      uncommitted: fc.array(fc.string(), { maxLength: 1 }),
      unwatched: fc.array(fc.string(), { maxLength: 1 }),
      submodules: fc.array(fc.string(), { maxLength: 1 }),
      operation: fc.option(fc.constant("merge")),
      linked: fc.boolean(),
      onBranch: fc.boolean(),
      heldElsewhere: fc.boolean(),
    }),
  );
  const facts: fc.Arbitrary<AttemptFacts> = fc.record({
    id: fc.constant("attempt-1"),
    branch: fc.constant("tazuna/1"),
    worktree: fc.constant("/w"),
    state: fc.constantFrom("open", "canceled", "removed"),
    cleanUp: fc.option(fc.constant({ why: "no room", triedAt: "2026-01-01", againAt: "2026-01-02" })),
    named: fc.boolean(),
    runs: fc.array(
      fc.record({ id: fc.constant("run-1"), status: fc.constantFrom(...RUN_STATUSES), held: fc.boolean() }),
      {
        maxLength: 3,
      },
    ),
    place: fc.constantFrom("there", "gone", "replaced"),
    made: fc.boolean(),
    locked: fc.option(fc.string()),
    pids: fc.array(fc.nat(), { maxLength: 1 }),
    mergedInto: fc.option(fc.constant("main")),
    work,
  });
  fc.assert(
    fc.property(facts, (any) => {
      if (!judgeAttempt(any).go) return;
      expect([any.state, any.pids, any.runs.every(({ status }) => isEnded(status))]).toEqual([
        "open",
        [],
        true,
      ]);
      expect(any.place).not.toBe("replaced");
      if (any.named || (!any.made && any.place === "gone")) return;
      if (any.mergedInto !== null && any.place === "gone") return;
      if (any.mergedInto !== null) expect({ ...any.work, heldElsewhere: true }).toEqual(SAFE);
      else expect([any.place, any.work, any.runs.at(-1)?.status]).toEqual(["there", SAFE, "SUCCEEDED"]);
    }),
    { numRuns: 2_000 },
  );
});
