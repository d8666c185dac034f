import { describe, expect, test } from "bun:test";
import { changedWords } from "../../../src/domain/pull-request/changed-words.ts";
import { nextLook } from "../../../src/domain/pull-request/next-look.ts";
import { pointWords } from "../../../src/domain/pull-request/point-words.ts";
import { templateAmong } from "../../../src/domain/pull-request/template.ts";
import { pullRequestWords } from "../../../src/domain/pull-request/words.ts";
import { aCheck, aThread } from "./sample-tracked.ts";

const INPUT = {
  task: { id: "12345678-task", title: "Water the\nplants", issue: "They are dry." },
  attempt: { id: "abcdef00-attempt", agent: "claude-code" },
  summaries: ["Watered all of them."],
  template: null,
  checks: [],
  allowances: [],
  decision: null,
};
const FOOT = "<sub>Made by claude-code with Tazuna: task 12345678, attempt abcdef00.</sub>";

describe("the words of a pull request", () => {
  test("are the title of the task and the agent's summary", () => {
    expect(pullRequestWords(INPUT)).toEqual({
      title: "Water the plants",
      body: `Watered all of them.\n\n${FOOT}`,
    });
  });

  test("tell checks, what was allowed and why, and the decision", () => {
    const { body } = pullRequestWords({
      ...INPUT,
      summaries: ["Watered one.", "Watered\nthe rest."],
      checks: [
        { name: "test", required: true, outcome: "passed", durationMs: 1234 },
        { name: "lint", required: false, outcome: "timed_out", durationMs: 60_000 },
      ],
      allowances: [
        {
          by: "Ann <ann@example.org>",
          reason: "A test key.",
          findings: [{ rule: "credentials", path: "a.pem", line: 1, blob: null }],
          checks: ["slow"],
        },
      ],
      decision: { reason: "It is shorter.", tripwire: "It floods.", alternatives: ["codex"] },
    });
    expect(body).toBe(
      [
        "- Watered one.\n- Watered\n  the rest.",
        "### Checks\n\n- test: passed, 1.2 s\n- lint: timed out (not required), 60.0 s",
        "### Published although held back\n\n- credentials in `a.pem`, check slow: A test key. (Ann)",
        "### Decision\n\n- Chosen over codex: It is shorter.\n- To be reconsidered if: It floods.",
        FOOT,
      ].join("\n\n"),
    );
  });

  test("stand in the repository's template, below its heading for them or in front", () => {
    const body = (template: string) => pullRequestWords({ ...INPUT, template }).body;
    expect(body("## Summary\n\n<!-- say it -->\n\n## Risk\n")).toBe(
      `## Summary\n\nWatered all of them.\n\n<!-- say it -->\n\n## Risk\n\n${FOOT}`,
    );
    expect(body("- [ ] I read the rules")).toBe(`Watered all of them.\n\n- [ ] I read the rules\n\n${FOOT}`);
    expect(body("## 概要\n")).toBe(`## 概要\n\nWatered all of them.\n\n${FOOT}`);
  });

  test("keep within the limits of every forge, never with half a character", () => {
    const words = pullRequestWords({
      ...INPUT,
      task: { ...INPUT.task, title: "🌱".repeat(300) },
      summaries: ["🌱".repeat(50_000)],
    });
    expect([words.title.length <= 255, words.body.length <= 60_000]).toEqual([true, true]);
    expect([words.title.isWellFormed(), words.body.isWellFormed()]).toEqual([true, true]);
  });
});

describe("what may be changed there", () => {
  const hash = (text: string) => `#${text}`;
  const facts = {
    shown: { title: "Old", body: "Old body", draft: true },
    wrote: { made: true, title: "#Old", body: "#Old body" },
    now: { title: "New", body: "New body" },
    given: { title: null, body: null, draft: false },
    hash,
  };

  test("are Tazuna's own words, and a draft that it made", () => {
    expect(changedWords(facts)).toEqual({ title: "New", body: "New body", draft: false });
  });

  test("is nothing if nothing is new; line ends do not count", () => {
    const shown = { title: "New", body: "New\r\nbody\n", draft: false };
    expect(changedWords({ ...facts, shown, now: { title: "New", body: "New\nbody" } })).toEqual({});
  });

  test("are no words that a person changed there", () => {
    const shown = { ...facts.shown, title: "Better", draft: false };
    expect(changedWords({ ...facts, shown })).toEqual({ body: "New body" });
  });

  test("is nothing of a pull request that a person opened, but for what is asked for now", () => {
    const wrote = { made: false, title: null, body: null };
    expect(changedWords({ ...facts, wrote })).toEqual({});
    const given = { title: "Mine", body: null, draft: false };
    expect(changedWords({ ...facts, wrote, given })).toEqual({ title: "Mine" });
  });
});

describe("the template", () => {
  test("is found where the forge looks for it", () => {
    const of = (kind: "github" | "gitlab" | "gitea", ...paths: string[]) => templateAmong(kind, paths);
    expect(of("github", "README.md", "docs/pull_request_template.md")).toBe("docs/pull_request_template.md");
    expect(of("github", "PULL_REQUEST_TEMPLATE.md", ".github/PULL_REQUEST_TEMPLATE.md")).toBe(
      ".github/PULL_REQUEST_TEMPLATE.md",
    );
    expect(of("github", ".github/PULL_REQUEST_TEMPLATE/one.md")).toBe(".github/PULL_REQUEST_TEMPLATE/one.md");
    expect(
      of("github", ".github/PULL_REQUEST_TEMPLATE/one.md", ".github/PULL_REQUEST_TEMPLATE/two.md"),
    ).toBeNull();
    expect(of("gitlab", ".gitlab/merge_request_templates/Default.md")).toBe(
      ".gitlab/merge_request_templates/Default.md",
    );
    expect(of("gitlab", ".gitlab/merge_request_templates/Bug.md", "pull_request_template.md")).toBeNull();
    expect(of("gitea", ".gitea/pull_request_template.md")).toBe(".gitea/pull_request_template.md");
  });
});

test("what reviewers and checks say is quoted below the person's own words", () => {
  const words = pointWords(
    {
      threads: [aThread("t", ["Why?\nReally.", "ours"])],
      checks: [{ ...aCheck("test"), summary: "1 failed", log: "expected 1\ngot 2" }],
    },
    " Be brief. ",
  );
  expect(words).toBe(
    [
      "Be brief.",
      "Review comments on the pull request:",
      "src/a.ts:3\nbob wrote:\n> Why?\n> Really.\nTazuna wrote:\n> ours",
      "Failed checks of the pull request:",
      "test\n> 1 failed\nThe end of its log:\n> expected 1\n> got 2",
    ].join("\n\n"),
  );
});

test("a forge is asked often while somebody works, rarely otherwise, never before it allows", () => {
  const seconds = (more: Partial<Parameters<typeof nextLook>[0]>) => {
    const facts = { now: 0, pollS: 30, quiet: 0, failures: 0, attended: true, resumeAt: null, ...more };
    return Date.parse(nextLook(facts)) / 1000;
  };
  expect([seconds({}), seconds({ quiet: 9 }), seconds({ quiet: 10 }), seconds({ quiet: 20 })]).toEqual([
    30, 30, 60, 120,
  ]);
  expect([seconds({ attended: false }), seconds({ failures: 3 }), seconds({ failures: 50 })]).toEqual([
    120, 240, 1800,
  ]);
  expect(seconds({ resumeAt: "1970-01-01T02:00:00.000Z" })).toBe(7200);
  expect(seconds({ pollS: 7200 })).toBe(7200);
});
