import { describe, expect, test } from "bun:test";
import { showRun } from "../../src/api/documents/show-task.ts";
import { settlementOf } from "../../src/contract/settled.ts";
import {
  cleanUpWords,
  isolationWords,
  presentAttempt,
  presentRun,
  presentRunAt,
} from "../../src/contract/words/present-run.ts";
import { RUN_STATES } from "../../src/domain/run/state.ts";
import { waitingFor } from "../../src/domain/run/waiting.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import { aRun, PUSHED } from "../helpers/sample-documents.ts";

const NOW = Date.parse("2026-01-02T03:05:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();
const plain = { outcome: null, failure: null, held: false, waits_for: null, resume_at: null, question: null };

describe("where a run stands", () => {
  test("every state has words and a family, and goes on unless it ended or waits for a person", () => {
    const rows = RUN_STATES.map((state) => {
      const { family, words } = presentRun({ ...plain, ...state });
      return [state.status, state.phase, family, words, settlementOf({ ...plain, ...state })].join(" | ");
    });
    expect(rows).toEqual([
      "PENDING | queued | queue | Queued | going",
      "PENDING | preparing | work | Preparing | going",
      "RUNNING | agent | work | Running | going",
      "RUNNING | waiting | work | Goes on with your answer | going",
      "STAGING | proving | work | Proving ownership | going",
      "STAGING | staging | work | Staging | going",
      "STAGING | checking | work | Checking | going",
      "COMMITTING |  | work | Committing | going",
      "PUSHING |  | work | Pushing | going",
      "SUCCEEDED |  | review | Pushed | succeeded",
      "FAILED |  | fail | Failed: internal | failed",
      "CANCELED |  | queue | Stopped | canceled",
    ]);
  });

  test("what held its agent is shown with the reason why no more did", () => {
    const reason = "bwrap is not installed.";
    expect([
      isolationWords({ isolation: null, isolation_reason: null }),
      isolationWords({ isolation: "guard", isolation_reason: null }),
      isolationWords({ isolation: "guard", isolation_reason: reason }),
    ]).toEqual([null, "guard", "guard, not the sandbox: bwrap is not installed."]);
  });

  test("a question is what a person is waited for", () => {
    const question = {
      id: "question-1",
      source: "permission",
      words: "npm install\n--offline",
      command: "npm install\n--offline",
      folder: "/worktree",
      touches: [],
      rule: "`npm install` reaches the network.",
      options: [],
      asked_at: "2026-01-02T15:30:00.000Z",
      parked_at: null,
      always: null,
      expect: "a".repeat(64),
    } as const;
    const run = {
      ...plain,
      status: "RUNNING",
      phase: "waiting",
      question: { ...question, touches: [], options: [] },
    } as const;
    expect([
      presentRun({ ...run, question: { ...question, touches: [], options: [] } }),
      settlementOf(run as never),
    ]).toEqual([
      { family: "needs", sign: "diamond-bang", code: "asks_leave", words: "Asks you: npm install" },
      "person",
    ]);
  });

  test("a rate limit resumes by itself", () => {
    const run = {
      ...plain,
      status: "RUNNING",
      phase: "waiting",
      resume_at: "2026-01-02T15:30:00.000Z",
    } as const;
    expect([presentRun(run).words, settlementOf(run)]).toEqual([
      "Rate limited until 15:30 UTC, resumes by itself",
      "going",
    ]);
  });

  test("a run in the queue says what it waits for, also one whose rate limit is over", () => {
    const waits = [
      waitingFor("attempt"),
      waitingFor("disk"),
      waitingFor("login", { until: "2026-01-02T15:30:00.000Z" }),
      waitingFor("parallel", { limit: 8 }),
      waitingFor("per_repository", { limit: 2 }),
      waitingFor("per_login", { limit: 4 }),
      waitingFor("clone", { why: "It does not answer." }),
    ];
    const queued = { ...plain, status: "PENDING", phase: "queued" } as const;
    const back = {
      ...plain,
      status: "RUNNING",
      phase: "waiting",
      resume_at: "2026-01-02T15:00:00.000Z",
    } as const;
    const words = (run: Omit<Parameters<typeof presentRun>[0], "waits_for">) =>
      waits.map((waits_for) => presentRun({ ...run, waits_for }).words);
    expect(words(queued)).toEqual([
      "Waits for the run before it",
      "Waits for room on the disk",
      "Waits for its login, rate limited until 15:30 UTC",
      "Waits for a slot: at most 8 at once",
      "Waits for a slot: at most 2 in this repository",
      "Waits for a slot: at most 4 with this login",
      "Waits for its clone: It does not answer.",
    ]);
    expect(words(back)).toEqual(words(queued));
    expect(words({ ...queued, phase: "preparing" }).filter((one) => one !== "Preparing")).toEqual([
      "Preparing waits for room on the disk of the data folder",
      "Waits for its clone: It does not answer.",
    ]);
  });

  test("a run that works and has no room on the disk says so, whatever it was at", () => {
    const worded = RUN_STATES.map((state) =>
      presentRun({ ...plain, ...state, waits_for: waitingFor("disk") }),
    ).filter(({ words }) => words.endsWith("waits for room on the disk of the data folder"));
    expect(worded.map(({ family, words }) => `${family}: ${words.split(" waits for room")[0]}`)).toEqual([
      "needs: Preparing",
      "needs: Its agent may have ended: what it came to",
      "needs: Proving ownership",
      "needs: Staging",
      "needs: Checking",
      "needs: Committing",
      "needs: Pushing",
    ]);
  });

  test("a held follow-up waits for a person", () => {
    const run = { ...plain, status: "PENDING", phase: "queued", held: true } as const;
    expect([presentRun(run).family, settlementOf(run)]).toEqual(["needs", "person"]);
  });

  test("outcomes are told apart", () => {
    const words = (["pushed", "committed", "no_changes"] as const).map(
      (outcome) => presentRun({ ...plain, status: "SUCCEEDED", phase: null, outcome }).words,
    );
    expect(words).toEqual(["Pushed", "Committed", "No changes"]);
  });

  test("an attempt is described in the words of the run that decides its state", () => {
    const pushed = showRun(aRun(PUSHED));
    const queued = { id: "run-2", number: 2, status: "PENDING", phase: "queued", startedAt: null } as const;
    const after = (more: Partial<RunView>) =>
      presentAttempt({ state: "working", clean_up: null, runs: [pushed, showRun(aRun(more))] }, NOW).words;
    expect([
      after({ id: "run-2", number: 2, status: "SUCCEEDED", phase: null, outcome: "no_changes" }),
      after(queued),
      after({ ...queued, status: "CANCELED", phase: null }),
      after({ ...queued, held: true }),
    ]).toEqual(["Pushed", "Queued", "Pushed", "Pushed, 1 held"]);
  });

  test("an attempt is what its latest run is, unless it was cancelled", () => {
    const run = showRun(aRun({ status: "RUNNING", phase: "agent" }));
    const words = (["working", "canceled", "removed"] as const).map(
      (state) => presentAttempt({ state, clean_up: null, runs: [run] }, NOW).words,
    );
    expect([...words, presentAttempt({ state: "needs_you", clean_up: null, runs: [] }, NOW).words]).toEqual([
      "Running",
      "Cancelled",
      "Removed",
      "No run yet",
    ]);
  });

  test("a working agent that has said nothing for four minutes asks for a look, and for no more", () => {
    const run = showRun(aRun({ status: "RUNNING", phase: "agent", startedAt: iso(NOW - 240_000) }));
    expect(presentRunAt(run, NOW)).toEqual({
      family: "needs",
      sign: "ring-question",
      code: "silent",
      words: "Not known: no event for 4m 00s",
    });
    expect(presentRunAt(run, NOW - 1).words).toBe("Running");
    expect(presentAttempt({ state: "working", clean_up: null, runs: [run] }, NOW).code).toBe("silent");
    const spoke = { ...run, last_action: { at: iso(NOW - 1_000), text: "Read a file" } };
    expect(presentRunAt(spoke, NOW).words).toBe("Running");
  });

  test("a cancelled attempt that cannot be cleaned up asks for a person, with why and what becomes of it", () => {
    const clean_up = {
      why: "the worktree is kept: there is no room",
      tried_at: "2026-01-02T03:04:05.000Z",
      again_at: "2026-01-02T03:06:05.000Z",
    };
    expect(presentAttempt({ state: "canceled", clean_up, runs: [] }, NOW)).toEqual({
      family: "needs",
      sign: "ring-question",
      code: "not_cleaned_up",
      words: "Cancelled, not cleaned up",
    });
    expect(cleanUpWords({ id: "0123456789", clean_up })).toEqual({
      why: "Its clean-up cannot go on: the worktree is kept: there is no room.",
      remedy:
        "Nothing is lost. It is tried again at 03:06 UTC and whenever an engine starts; once the cause is mended, `tazuna cancel 01234567` tries at once.",
    });
    expect(cleanUpWords({ id: "0123456789", clean_up: null })).toBeNull();
  });
});
