import { describe, expect, test } from "bun:test";
import { approvalsOf } from "../../src/domain/question/approvals.ts";
import { whyAskPerson } from "../../src/domain/question/needs-person.ts";
import type { Question } from "../../src/domain/question/question.ts";
import { allowedBefore, takeAnswer } from "../../src/domain/question/take-answer.ts";

test("without a setting, a person is asked under the guard alone", () => {
  expect(approvalsOf(null, "guard")).toBe("ask");
  expect(approvalsOf(null, "sandbox")).toBe("never");
  expect(approvalsOf("never", "guard")).toBe("never");
  expect(approvalsOf("ask", "sandbox")).toBe("ask");
});

describe("the rules", () => {
  const why = (command: string) => whyAskPerson({ command, changes: [], fetches: false }, "/work/tree")?.rule;

  test.each([
    ["curl https://example.com/x", "curl"],
    ["cd x && FOO=1 npm ci", "npm ci"],
    ["sh -c 'wget example.com'", "wget"],
    ["python3 -m pip install x", "pip install"],
    ["git -C . fetch origin", "git fetch"],
    ["timeout 10 /usr/bin/ssh host", "ssh"],
  ])("%s reaches the network", (command, program) => {
    expect(why(command)).toBe(`\`${program}\` reaches the network.`);
  });

  test.each([
    "npm test",
    "bun test",
    "git diff",
    "echo curly",
    "ls /etc",
    "echo x > /dev/null",
    "rm -r build",
  ])("%s is not asked", (command) => {
    expect(why(command)).toBeUndefined();
  });

  test.each(["echo x > ../other", "rm -rf /etc/x", "cp a ~/b"])("%s leaves the worktree", (command) => {
    expect(why(command)).toBe("It reaches outside of the worktree.");
  });
});

const question: Question = {
  id: "one",
  runId: "run",
  attemptId: "attempt",
  start: 1,
  key: "1",
  source: "permission",
  words: "npm ci",
  command: "npm ci",
  folder: "/work/tree",
  touches: [],
  rule: "It asks.",
  options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
  hash: "h1",
  askedAt: "2026-01-02T12:00:00.000Z",
  answer: null,
  closed: null,
  closedAt: null,
  parkedAt: null,
  deliveredAt: null,
  repeats: null,
};
const allowed = { kind: "allow", text: null, option: "yes", by: null, at: question.askedAt } as const;

describe("an answer", () => {
  const give = (all: readonly Question[], kind: "allow" | "deny" | "text", expected = "h1", text = "") =>
    takeAnswer(all, { kind, text, expect: expected, always: null }).match(
      ({ answer }) => `${answer.kind} ${answer.option}`,
      (code) => code,
    );

  test("chooses the option that fits; a permission can always be denied", () => {
    expect(give([question], "allow")).toBe("allow yes");
    expect(give([question], "deny")).toBe("deny null");
    expect(give([question], "text", "h1", "yes")).toBe("allow yes");
    expect(give([question], "text", "h1", "why?")).toBe("answer_unfit");
    const words = { id: "words", name: "Own words", kind: "words" as const };
    expect(give([{ ...question, source: "person" }], "text", "h1", "why?")).toBe("answer_unfit");
    expect(give([{ ...question, source: "person", options: [words] }], "text", "h1", "why?")).toBe(
      "text null",
    );
  });

  test("counts for the question that was seen, and only the first time", () => {
    const other = { ...question, id: "two", hash: "h2" };
    expect(give([], "allow")).toBe("no_question");
    expect(give([other], "allow", "h1")).toBe("question_changed");
    expect(give([question, other], "allow", "h2")).toBe("question_changed");
    expect(give([{ ...question, closed: "withdrawn" }, other], "allow")).toBe("question_changed");
    expect(give([{ ...question, closed: "answered", answer: allowed }, other], "allow")).toBe(
      "already_answered",
    );
  });

  test("that allowed a stopped process something holds for the same words, once", () => {
    const parked = { ...question, closed: "answered", answer: allowed, parkedAt: question.askedAt } as const;
    expect(allowedBefore(question, [parked])?.id).toBe("one");
    expect(allowedBefore({ ...question, words: "npm ci -f" }, [parked])).toBeNull();
    expect(allowedBefore(question, [{ ...parked, parkedAt: null }])).toBeNull();
    expect(allowedBefore(question, [parked, { ...question, id: "two", repeats: "one" }])).toBeNull();
  });
});
