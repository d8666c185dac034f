/** Holds what keeps an attempt from being merged, and which step is suggested next. */
import { describe, expect, test } from "bun:test";
import { showAttemptAlone, showRun } from "../../src/api/documents/show-task.ts";
import type { PullRequestSummary } from "../../src/contract/pull-request-document.ts";
import type { AttemptDocument } from "../../src/contract/task-document.ts";
import { type GateRow, shipFacts } from "../../web/src/features/ship/facts.ts";
import { anAttempt, aRun, PUSHED } from "../helpers/sample-documents.ts";

const COMMIT = "a".repeat(40);
const check = (name: string, passed: boolean, required = true) => ({
  name,
  tree: "b".repeat(40),
  required,
  outcome: passed ? ("passed" as const) : ("failed" as const),
  exit_code: passed ? 0 : 1,
  duration_ms: 10,
  passed,
  log: "",
});
const rule = (id: string, verdict: GateRow["verdict"]): GateRow => ({
  rule: id,
  title: id,
  verdict,
  level: "reject",
  findings: [],
  more: 0,
  override: null,
  taken_back: [],
  why_not_run: null,
});
const pull = (more: Partial<PullRequestSummary> = {}): PullRequestSummary => ({
  number: 1,
  url: "https://forge.example/1",
  state: "open",
  head: "work",
  base: "main",
  draft: false,
  title: "One",
  head_commit: COMMIT,
  mergeable: true,
  merge_block: null,
  failed_checks: [],
  pending_checks: [],
  open_threads: [],
  waits: false,
  tried: [],
  trouble: null,
  ...more,
});

const facts = (
  attempt: Partial<AttemptDocument>,
  more: Partial<Omit<Parameters<typeof shipFacts>[0], "attempt">> = {},
) =>
  shipFacts({
    attempt: {
      ...showAttemptAlone({ attempt: anAttempt(), runs: [aRun(PUSHED)] }),
      state: "pushed",
      commit: COMMIT,
      ...attempt,
    },
    gate: [rule("credential", "pass")],
    conflicts: 0,
    canOpen: false,
    ...more,
  });
const codes = ({ blocks }: ReturnType<typeof shipFacts>) => blocks.map(({ code }) => code);

describe("the way out", () => {
  test("of a pushed attempt without a forge ends with the merge", () => {
    expect(facts({})).toMatchObject({ blocks: [], pushed: "pushed", suggested: "merge" });
    expect(facts({}, { canOpen: true }).suggested).toBe("open_pull");
  });

  test("is closed by the gate, and the agent is asked first", () => {
    const stopped = facts({ state: "failed", commit: null }, { gate: [rule("credential", "reject")] });
    expect(codes(stopped)).toEqual(["whyGate", "whyNothing"]);
    expect(stopped.suggested).toBe("ask_remove");
  });

  test("is closed by a required check that failed, unless a person allowed it", () => {
    const runs = [{ ...showRun(aRun(PUSHED)), checks: [check("test", false), check("style", false, false)] }];
    const failed = facts({ state: "failed", runs });
    expect(failed).toMatchObject({ blocks: [{ code: "whyCheck", name: "test" }], suggested: "send_check" });
    const allowed = facts({ runs }, { gate: [rule("check:test", "overridden")] });
    expect(allowed.blocks).toEqual([]);
  });

  test("leads through the push when it was held", () => {
    expect(facts({ state: "committed" })).toMatchObject({ pushed: "held", suggested: "push" });
  });

  test("waits for the forge; what is the forge's to judge may be merged all the same", () => {
    const thread = { id: "1", path: null, line: null, url: "", author: null, words: "" };
    const red = facts({ pull_request: pull({ failed_checks: ["ci"], open_threads: [thread] }) });
    expect(codes(red)).toEqual(["whyCheck", "whyThreads"]);
    expect(red.blocks.every(({ isSoft }) => isSoft)).toBe(true);
    expect(red.suggested).toBe("send_forge_checks");
    expect(facts({ pull_request: pull({ open_threads: [thread] }) }).suggested).toBe("send_threads");
    const conflict = facts({ pull_request: pull({ mergeable: false, draft: true }) });
    expect(conflict.blocks).toEqual([{ code: "whyDraft" }, { code: "whyConflict" }]);
    expect(facts({ pull_request: pull() }).suggested).toBe("merge");
  });

  test("is closed by a conflict with the base, and counts no closed pull request", () => {
    const closed = pull({ state: "closed", failed_checks: ["ci"] });
    expect(facts({ pull_request: closed }, { conflicts: 2 })).toMatchObject({
      blocks: [{ code: "whyConflictFiles", count: 2 }],
      suggested: "update",
    });
  });
});
