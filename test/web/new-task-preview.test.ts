/** Holds how the preview of a task is sorted, and where a file name is being typed. */
import { describe, expect, test } from "bun:test";
import { mentionIn, withFile } from "../../web/src/features/new-task/mention.ts";
import {
  costOf,
  counted,
  goingTo,
  isStale,
  overlapsOf,
  type Preview,
  startingNow,
  waitingFor,
} from "../../web/src/features/new-task/preview.ts";

type Attempt = Preview["attempts"][number];

const attempt: Attempt = {
  agent: "codex",
  model: null,
  ready: true,
  reason: null,
  remedy: null,
  starts: "now",
  waits_for: null,
  estimate: null,
};
const previewOf = (attempts: readonly Partial<Attempt>[]): Preview => ({
  repository: { id: "r", name: "kura", path: "/kura" },
  base: null,
  base_problem: null,
  worker: null,
  attempts: attempts.map((each) => ({ ...attempt, ...each })),
  scripts: { untrusted: 0 },
  disk: { need_bytes: null, free_bytes: 1, floor_bytes: 0 },
  open_attempts: 0,
  changing: [],
});

test("others whose files the words of a task name come first, with those files", () => {
  const other = (attempt: string, paths: string[]) => ({
    attempt,
    task: "t",
    title: attempt,
    paths,
    files: 9,
  });
  const changing = [other("a", ["x.ts", "y.ts", "z.ts", "w.ts"]), other("b", ["src/parse.ts", "src/row.ts"])];
  const found = overlapsOf({ ...previewOf([]), changing }, "Mend src/row.ts, please");
  expect(found.map(({ of, paths, isNamed }) => [of.attempt, paths, isNamed])).toEqual([
    ["b", ["src/row.ts"], true],
    ["a", ["x.ts", "y.ts", "z.ts"], false],
  ]);
});

describe("the preview of a task", () => {
  const login = { reason: "login", limit: null, until: "2026-01-01T15:30:00Z" } as const;
  const preview = previewOf([
    {},
    {},
    { agent: "gemini" },
    { agent: "claude-code", starts: "queued", waits_for: login },
    { agent: "broken", ready: false },
  ]);

  test("tells apart what starts now and what waits, each agent once", () => {
    expect(counted(startingNow(preview))).toBe("codex ×2, gemini");
    expect(waitingFor(preview)).toEqual([{ agents: ["claude-code"], reason: login }]);
  });

  test("names whoever takes what would wait here, once each, and says who clones first", () => {
    const ci = { id: "w", name: "ci-2", clones: true };
    const full = { reason: "parallel", limit: 1, until: null } as const;
    const queued = { starts: "queued", waits_for: full } as const;
    const taken = { ...queued, goes_to: ci };
    const going = previewOf([{}, taken, taken, { ...queued, agent: "gemini", goes_to: null }, queued]);
    expect(goingTo(going)).toEqual([{ agents: ["codex", "codex"], worker: "ci-2", clones: true }]);
    expect(startingNow(going)).toEqual(["codex"]);
    // The last one is from an engine that knows nothing of it.
    expect(waitingFor(going)).toEqual([{ agents: ["gemini", "codex"], reason: full }]);
    const there = previewOf([{}, { agent: "broken", ready: false }]);
    expect(goingTo({ ...there, worker: ci })).toEqual([{ agents: ["codex"], worker: "ci-2", clones: true }]);
    expect([startingNow({ ...there, worker: ci }), goingTo(there)]).toEqual([[], []]);
    const quick = { ...there, worker: { ...ci, clones: false } };
    expect([startingNow(quick), goingTo(quick)]).toEqual([["codex"], []]);
  });

  test("sums up costs only if all of them are known", () => {
    const estimate = { low_usd: 1, high_usd: 3, runs: 6 };
    expect(costOf(previewOf([{ estimate }, { estimate }]))).toEqual({ low: 2, high: 6 });
    expect(costOf(previewOf([{ estimate }, {}]))).toBeNull();
    expect(costOf(previewOf([]))).toBeNull();
  });

  test("calls a base old after ten minutes, or if it was never fetched", () => {
    const now = Date.parse("2026-01-01T00:20:00Z");
    expect(isStale(null, now)).toBe(true);
    expect(isStale("2026-01-01T00:15:00Z", now)).toBe(false);
    expect(isStale("2026-01-01T00:05:00Z", now)).toBe(true);
  });
});

describe("a file name after an @", () => {
  test("is found before the caret, and not within an address", () => {
    expect(mentionIn("See @src/im", 11)).toEqual({ at: 4, query: "src/im" });
    expect(mentionIn("@", 1)).toEqual({ at: 0, query: "" });
    expect(mentionIn("kei@example", 11)).toBeNull();
    expect(mentionIn("See @src now", 12)).toBeNull();
  });

  test("gives way to the chosen file, with one space behind it", () => {
    expect(withFile("See @im now", { at: 4, query: "im" }, "src/a.ts")).toEqual({
      text: "See src/a.ts now",
      caret: 13,
    });
    expect(withFile("See @im", { at: 4, query: "im" }, "src/a.ts").text).toBe("See src/a.ts ");
  });
});
