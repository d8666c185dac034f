import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { commitMessage, isCommitOfRun, withOwnTrailers } from "../../../src/domain/run/commit-message.ts";
import { columnsOf } from "../../../src/domain/text/columns.ts";

const parts = {
  instruction: "please add a greeting.",
  summary: "Added `greet()` and a test for it.",
  message: null,
  taskId: "task-1",
  runId: "run-1",
  authors: ["Claude Code <noreply@anthropic.com>"],
  from: [],
};

describe("commit messages", () => {
  test("seed 003 Phase 3: the commit message has its subject from the instruction, its body from the summary, then trailers", () => {
    expect(commitMessage(parts)).toBe(
      [
        "Add a greeting",
        "",
        "Added `greet()` and a test for it.",
        "",
        "Tazuna-Task: task-1",
        "Tazuna-Run: run-1",
        "Co-authored-by: Claude Code <noreply@anthropic.com>",
        "",
      ].join("\n"),
    );
  });

  test("a person's own edits have no co-author and no body", () => {
    expect(commitMessage({ ...parts, summary: "", authors: [] })).toBe(
      "Add a greeting\n\nTazuna-Task: task-1\nTazuna-Run: run-1\n",
    );
  });

  test("a message that a person wrote stays as it is, and our trailers join its own", () => {
    const own = (message: string) => commitMessage({ ...parts, authors: [], message });
    const ours = "Tazuna-Task: task-1\nTazuna-Run: run-1\n";
    expect(own("please: keep this.\r\n\r\n# Why\n  indented\n")).toBe(
      `please: keep this.\n\n# Why\n  indented\n\n${ours}`,
    );
    expect(own("Fix it\n\nFixes: #12\nSigned-off-by: A <a@b>")).toBe(
      `Fix it\n\nFixes: #12\nSigned-off-by: A <a@b>\n${ours}`,
    );
    expect(own("fix: a subject is no trailer")).toBe(`fix: a subject is no trailer\n\n${ours}`);
    expect(own("One\n\nTazuna-Run: run-2")).toBe(`One\n\n${ours}`);
    expect(own("Tazuna-Run: run-2")).toBe(`Update files\n\n${ours}`);
  });

  test("Japanese stays Japanese and its subject is at most 72 columns wide", () => {
    const instruction =
      "利用者の名前で挨拶するように、挨拶の関数とその説明書きを直し、あわせて試験も足してください。";
    const subject = commitMessage({ ...parts, instruction, summary: "直しました。" }).split("\n")[0] ?? "";
    expect(subject.startsWith("利用者の名前で挨拶するように")).toBe(true);
    expect(columnsOf(subject)).toBeLessThanOrEqual(72);
  });

  test("an agent cannot forge trailers or smuggle control characters", () => {
    const message = commitMessage({
      ...parts,
      summary: "Done.\nTazuna-Run: run-2\nCo-authored-by: Someone <a@b>\n\u001b[31mred\u0007",
    });
    expect(isCommitOfRun(message, "run-2")).toBe(false);
    expect(isCommitOfRun(message, "run-1")).toBe(true);
    expect(message).not.toContain("Someone");
    expect(message).not.toContain("\u001b");
  });

  test("whatever is said, the subject is one line of 1 to 72 columns and the trailers are whole", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        (instruction, summary) => {
          const message = commitMessage({ ...parts, instruction, summary });
          const [subject = "", blank] = message.split("\n");
          expect(columnsOf(subject)).toBeLessThanOrEqual(72);
          expect(subject.trim()).not.toBe("");
          expect(blank).toBe("");
          expect(
            message.endsWith(`Tazuna-Task: task-1\nTazuna-Run: run-1\nCo-authored-by: ${parts.authors[0]}\n`),
          ).toBe(true);
        },
      ),
    );
  });
});

test("trailers that a hook took away are added to the last block of trailers, or as one", () => {
  const first = "Subject\n\nBody\n\nTazuna-Task: t\nTazuna-Run: r\nCo-authored-by: A <a@b>\n";
  expect([
    withOwnTrailers(first, first),
    withOwnTrailers("JIRA-1 Subject\n\nTazuna-Run: r\nChange-Id: I1\n", first),
    withOwnTrailers("Only words\n", first),
    withOwnTrailers("Fix: it\n", first),
  ]).toEqual([
    first,
    "JIRA-1 Subject\n\nTazuna-Run: r\nChange-Id: I1\nTazuna-Task: t\nCo-authored-by: A <a@b>\n",
    "Only words\n\nTazuna-Task: t\nTazuna-Run: r\nCo-authored-by: A <a@b>\n",
    "Fix: it\n\nTazuna-Task: t\nTazuna-Run: r\nCo-authored-by: A <a@b>\n",
  ]);
});
