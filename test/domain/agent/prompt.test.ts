import { describe, expect, test } from "bun:test";
import { constraintsText } from "../../../src/domain/agent/constraints.ts";
import { buildPrompt, type PastTurn, type PromptInput } from "../../../src/domain/agent/prompt.ts";

const CLOSING =
  "When you are done, say in one or two sentences what you changed, in the language of the instruction.";

const prompt = (input: Partial<PromptInput>): string =>
  buildPrompt({
    issue: "挨拶に名前を入れる",
    context: null,
    constraints: null,
    instruction: "挨拶に名前を入れる",
    turn: { kind: "first" },
    forked: null,
    answered: [],
    merge: null,
    ...input,
  });

describe("the first prompt", () => {
  test("seed 003 Phase 2: the prompt has the rules, the issue with its context and constraints, and the task", () => {
    const whole = prompt({
      context: "利用者は日本人\n\n- 箇条書き",
      constraints: "依存を増やさない",
      instruction: "まず  src/a を",
    });
    expect(whole).toBe(
      [
        ...["# Rules", "", constraintsText(), ""],
        ...["# Issue", "", "挨拶に名前を入れる", ""],
        ...["# Context", "", "利用者は日本人\n\n- 箇条書き", ""],
        ...["# Constraints", "", "依存を増やさない", ""],
        ...["# Task", "", "まず  src/a を", "", CLOSING, ""],
      ].join("\n"),
    );
  });

  test("says an instruction that is the issue only once, and leaves out what is blank", () => {
    const whole = prompt({ context: "  ", constraints: "" });
    expect(whole.split("挨拶に名前を入れる")).toHaveLength(2);
    expect(whole).toContain("# Task\n\nSolve the issue above.\n");
    expect(whole).not.toContain("# Context");
    expect(whole).not.toContain("# Constraints");
  });
});

test("a follow-up in a resumed session is the instruction and a reminder", () => {
  expect(prompt({ turn: { kind: "follow_up" }, instruction: "テストも書いて" })).toBe(
    [
      "テストも書いて",
      "",
      "(The rules of the first message still hold: edit files only; never commit, push or move branches.)",
      CLOSING,
      "",
    ].join("\n"),
  );
});

test("a turn that was broken off is told to go on, with what it was asked", () => {
  const [first, ...rest] = prompt({ turn: { kind: "broken_off" }, instruction: "直して" }).split("\n\n");
  expect(first).toBe(
    "You were broken off in the middle of this, by no fault of yours. Go on where you stopped; you were asked:",
  );
  expect(rest.join("\n\n")).toBe(prompt({ turn: { kind: "follow_up" }, instruction: "直して" }));
});

describe("the prompt of a fresh session that follows a lost one", () => {
  const primed = (turns: readonly PastTurn[]) =>
    prompt({ turn: { kind: "primed", turns, moved: false }, instruction: "And now the tests" });

  test("tells what was said and done", () => {
    const whole = primed([
      { instruction: "直して", actions: ["Read a.ts", "Edit a.ts"], summary: "直しました。" },
      { instruction: "More", actions: [], summary: " " },
    ]);
    expect(whole).toContain("Person: 直して\n- Read a.ts\n- Edit a.ts\nYou: 直しました。");
    expect(whole).toContain("Person: More\nYou: (nothing was said at the end)");
    expect(whole.indexOf("直しました。")).toBeLessThan(whole.indexOf("Person: More"));
    expect(whole).toContain("# Task\n\nAnd now the tests\n");
  });

  test("keeps the newest of a long history, and says what it left out", () => {
    const turns = Array.from({ length: 60 }, (_, at) => ({
      instruction: `turn ${at} ${"あ".repeat(3_000)}`,
      actions: Array.from({ length: 100 }, (_, action) => `action ${action}`),
      summary: "😀".repeat(4_000),
    }));
    const whole = primed(turns);
    expect(whole.length).toBeLessThan(30_000);
    expect(whole).toContain("turn 59");
    expect(whole).not.toContain("turn 0 ");
    expect(whole).toMatch(/\(\d+ earlier turns left out\.\)/);
    expect(whole).toContain("(60 earlier actions left out.)");
    expect(whole.isWellFormed()).toBe(true);
  });
});
