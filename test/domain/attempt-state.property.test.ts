import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { leftAt } from "../../src/domain/attempt/attempt-runs.ts";
import { type BranchFacts, type RunFacts, standingOf } from "../../src/domain/attempt/attempt-state.ts";
import { isEnded, RUN_STATES } from "../../src/domain/run/state.ts";

type Numbered = RunFacts & { readonly number: number };

const ENDED: RunFacts = {
  kind: "agent",
  status: "SUCCEEDED",
  phase: null,
  outcome: "pushed",
  commit: "c0",
  undone: false,
  held: false,
  asks: false,
  began: true,
  createdAt: "2026-01-02T03:04:05.000Z",
};
const UNCHANGED: RunFacts = { ...ENDED, outcome: "no_changes", commit: null };
const QUEUED: RunFacts = { ...UNCHANGED, status: "PENDING", phase: "queued", outcome: null, began: false };
const AGENT: RunFacts = { ...QUEUED, status: "RUNNING", phase: "agent", began: true };

const commit = fc.option(
  fc.nat({ max: 9 }).map((n) => `c${n}`),
  { nil: null },
);

/** Any run that has ended, as the machinery can leave it. */
const endedRun = fc
  .record({
    end: fc.constantFrom("pushed", "committed", "no_changes", "failed", "stopped", "dropped"),
    commit,
    undone: fc.boolean(),
  })
  .map(({ end, commit: made, undone }): RunFacts => {
    const sha = made ?? "c";
    if (end === "no_changes") return UNCHANGED;
    if (end === "pushed" || end === "committed") return { ...ENDED, outcome: end, commit: sha, undone };
    const status = end === "failed" ? "FAILED" : "CANCELED";
    const began = end !== "dropped";
    return { ...ENDED, status, outcome: null, began, commit: began ? made : null, undone: began && undone };
  });

const unfinishedRun = fc
  .record({
    state: fc.constantFrom(...RUN_STATES.filter(({ status }) => !isEnded(status))),
    held: fc.boolean(),
    asks: fc.boolean(),
  })
  .map(({ state, held, asks }): RunFacts => {
    const queued = state.phase === "queued";
    return {
      ...QUEUED,
      ...state,
      held: held && queued,
      asks: asks && state.phase === "waiting",
      began: !queued,
    };
  });

const numbered = (runs: readonly RunFacts[]): Numbered[] => runs.map((run, number) => ({ ...run, number }));
const history = fc.array(endedRun, { maxLength: 8 });
const anyHistory = fc
  .tuple(history, fc.array(unfinishedRun, { maxLength: 3 }))
  .map(([ended, going]) => [...ended, ...going]);
const sha = fc.nat({ max: 9 }).map((n) => `c${n}`);
const anyBranch: fc.Arbitrary<BranchFacts> = fc.record({
  tip: sha,
  beganAt: fc.array(sha, { minLength: 1, maxLength: 2 }),
  left: fc.option(sha, { nil: null }),
  published: fc.boolean(),
});
const open = (runs: readonly RunFacts[]) => standingOf("open", numbered(runs));
const without = ({ state, commit: sha }: ReturnType<typeof open>) => ({ state, commit: sha });

const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, check), { numRuns: 500 });

describe("how an attempt stands", () => {
  test("while a run goes on by itself or asks, it never says anything that has ended", () => {
    holds(anyHistory, (runs) => {
      const going = runs.some((run) => !isEnded(run.status) && !run.held);
      const { state, run } = open(runs);
      const ongoing = state === "working" || (state === "needs_you" && run !== null && !isEnded(run.status));
      if (going) expect(ongoing).toBe(true);
      if (state === "working") expect(going).toBe(true);
    });
  });

  test("a run that works goes before those that wait, and one that asks is what a person is needed for", () => {
    holds(history, (runs) => {
      const asking = { ...AGENT, phase: "waiting", asks: true } as const;
      expect(open([...runs, AGENT, QUEUED])).toMatchObject({ state: "working", run: { phase: "agent" } });
      expect(open([...runs, asking, QUEUED])).toMatchObject({ state: "needs_you", run: { asks: true } });
    });
  });

  test("a follow-up that changes nothing leaves a published attempt as it was", () => {
    holds(history, (runs) => {
      const before = open(runs);
      if (before.state !== "pushed" && before.state !== "committed") return;
      expect(open([...runs, UNCHANGED])).toEqual(before);
    });
  });

  test("a follow-up that was dropped from the queue, or is held, never was", () => {
    const dropped = { ...QUEUED, status: "CANCELED", phase: null } as const;
    holds(history, (runs) => {
      if (runs.every((run) => run.status === "CANCELED" && !run.began)) return;
      const before = open(runs);
      expect(open([...runs, dropped])).toEqual(before);
      expect(open([...runs, { ...QUEUED, held: true }])).toEqual(before);
    });
  });

  test("a failed or stopped follow-up is shown, and the commit that stands is still named", () => {
    holds(history, (runs) => {
      const before = open(runs);
      const failed = { ...ENDED, status: "FAILED", outcome: null, commit: null } as const;
      expect(without(open([...runs, failed]))).toEqual({ state: "failed", commit: before.commit });
      const stopped = { ...failed, status: "CANCELED" } as const;
      expect(without(open([...runs, stopped]))).toEqual({ state: "stopped", commit: before.commit });
    });
  });

  test("the commit is the newest that was not undone, whatever came after it", () => {
    holds(anyHistory, (runs) => {
      const standing = runs.filter((run) => run.commit !== null && !run.undone);
      expect(open(runs).commit).toBe(standing.at(-1)?.commit ?? null);
    });
  });

  test("what says pushed or committed is a run that ended so, and no later commit waits", () => {
    holds(history, (runs) => {
      const { state, run } = open(runs);
      if (state !== "pushed" && state !== "committed") return;
      expect(run).toMatchObject({ status: "SUCCEEDED", outcome: state, undone: false });
      const later = numbered(runs).filter(({ number }) => number > (run?.number ?? 0));
      expect(later.filter((each) => each.commit !== null)).toEqual([]);
    });
  });

  test("an undone commit asks for a person, until something is made of its files", () => {
    holds(history, (runs) => {
      expect(open([...runs, { ...ENDED, undone: true }]).state).toBe("needs_you");
      expect(open([...runs, { ...ENDED, undone: true }, ENDED]).state).toBe("pushed");
    });
  });

  test("nothing but a change that was left makes an attempt more than unchanged", () => {
    expect(open([UNCHANGED, UNCHANGED]).state).toBe("no_changes");
    const failed = { ...ENDED, status: "FAILED", outcome: null } as const;
    expect(open([{ ...failed, commit: null }, UNCHANGED]).state).toBe("no_changes");
    expect(open([failed, UNCHANGED]).state).toBe("failed");
    expect(open([{ ...QUEUED, status: "CANCELED", phase: null }]).state).toBe("stopped");
    expect(open([]).state).toBe("needs_you");
  });

  test("the branch's commit is the attempt's, if the branch is there on its own, whatever its runs had made", () => {
    holds(fc.tuple(history, anyBranch), ([runs, branch]) => {
      const told = open(runs);
      const at = standingOf("open", numbered(runs), branch);
      const isOwn = branch.tip === told.commit || !branch.beganAt.includes(branch.tip);
      expect(at.commit).toBe(isOwn ? branch.tip : null);
      expect(at.run).toEqual(told.run);
    });
  });

  test("pushed is only what the remote has, and committed is only a commit of the attempt's own", () => {
    holds(fc.tuple(history, anyBranch), ([runs, branch]) => {
      const told = open(runs);
      const { state, commit } = standingOf("open", numbered(runs), branch);
      if (state === "committed") expect([commit, branch.published]).toEqual([branch.tip, false]);
      if (state === "pushed" && commit !== null)
        expect(branch.published || (told.state === "pushed" && told.commit === commit)).toBe(true);
      if (commit !== null) expect(state).not.toBe("no_changes");
    });
  });

  test("a failed or stopped run, a run that goes on, and an undone commit are told wherever the branch is", () => {
    holds(fc.tuple(anyHistory, anyBranch), ([runs, branch]) => {
      const told = open(runs).state;
      const { state } = standingOf("open", numbered(runs), branch);
      if (["failed", "stopped", "working"].includes(told)) expect(state).toBe(told);
    });
    const undone = numbered([{ ...ENDED, undone: true }]);
    const branch = { tip: "c1", beganAt: ["c1"], left: "c1", published: false };
    expect(standingOf("open", undone, branch)).toMatchObject({ state: "needs_you", commit: null });
    const committed = { ...branch, tip: "c2" };
    expect(standingOf("open", undone, committed)).toMatchObject({ state: "committed", commit: "c2" });
  });

  test("its runs left the branch at the newest commit that stands, also if several were undone in turn", () => {
    const run = (startSha: string | null, sha: string | null, ...codes: string[]) => ({
      kind: "agent" as const,
      startSha,
      commit: sha,
      notes: codes.map((code) => ({ code, message: "", details: {} })),
    });
    const undone = "commit_undone";
    expect(leftAt([run(null, null)])).toBeNull();
    expect(leftAt([run("a", "b"), run("b", "c"), run(null, null)])).toBe("c");
    expect(leftAt([run("a", "b"), run("b", "c", undone)])).toBe("b");
    expect(leftAt([run("a", "b", undone), run("b", "c", undone)])).toBe("a");
    expect(leftAt([run("a", "b", undone, "commit_put_back"), run("b", "c", undone)])).toBe("b");
    expect(leftAt([run("a", "b", undone), run("a", "c")])).toBe("c");
    expect(leftAt([run("a", "b", undone), run("a", null)])).toBe("a");
  });

  describe("merged", () => {
    const at = "2026-02-02T00:00:00.000Z";
    const merged = {
      at,
      commit: "m",
      tip: "c1",
      target: "main",
      before: null,
      by: "person",
    } as const;
    const branch = { tip: "c1", beganAt: ["c"], left: "c1", published: false };
    const stands = (runs: readonly RunFacts[], place?: BranchFacts) =>
      standingOf("open", numbered(runs), place, merged);
    const later = (run: RunFacts): RunFacts => ({ ...run, createdAt: "2026-03-03T00:00:00.000Z" });
    const FAILED: RunFacts = { ...ENDED, status: "FAILED", outcome: null };

    test("is what was merged, whatever its runs had come to before, and if its branch is gone too", () => {
      holds(fc.array(endedRun, { minLength: 1, maxLength: 8 }), (runs) => {
        expect(stands(runs, branch)).toMatchObject({ state: "merged", commit: "c1" });
        expect(stands(runs, { ...branch, tip: "m" })).toMatchObject({ state: "merged", commit: "c1" });
        expect(stands(runs)).toMatchObject({ state: "merged", commit: "c1" });
        expect(stands([...runs, later(UNCHANGED)], branch).state).toBe("merged");
      });
    });

    test("is no longer what has a newer commit, or a later run that needs a person or goes on", () => {
      holds(history, (runs) => {
        expect(stands(runs, { ...branch, tip: "c2" }).state).not.toBe("merged");
        expect(stands([...runs, later(ENDED)]).state).toBe("pushed");
        expect(stands([...runs, later(FAILED)], branch).state).toBe("failed");
        expect(stands([...runs, AGENT], branch).state).toBe("working");
      });
    });
  });

  test("a cancelled or removed attempt says so, and its commit", () => {
    holds(anyHistory, (runs) => {
      for (const lifecycle of ["canceled", "removed"] as const)
        expect(standingOf(lifecycle, numbered(runs))).toEqual({
          state: lifecycle,
          run: null,
          commit: open(runs).commit,
        });
    });
  });
});
