import { describe, expect, test } from "bun:test";
import { tableText } from "../../src/cli/view/table.ts";
import { cliWorld } from "../helpers/cli-world.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED, PUSHED_PATCH } from "../helpers/sample-documents.ts";

const HEAD = ["ATTEMPT", "AGENT", "STATE", "BRANCH"];
const ROWS = [
  ["43832cb1", "claude-code", "Pushed", "tazuna/068463d5"],
  ["", "日本語", "Failed: agent_failed", "tazuna/f37fb2dd"],
];

describe("a table in a window", () => {
  test("that is wide enough has a heading and columns", () => {
    expect(tableText(HEAD, ROWS, 62)).toBe(
      [
        "ATTEMPT   AGENT        STATE                 BRANCH",
        "43832cb1  claude-code  Pushed                tazuna/068463d5",
        "          日本語       Failed: agent_failed  tazuna/f37fb2dd",
        "",
      ].join("\n"),
    );
  });

  test("that is too narrow sets heading and rows in two lines", () => {
    expect(tableText(HEAD, ROWS, 40)).toBe(
      [
        "ATTEMPT   AGENT",
        "  STATE                 BRANCH",
        "43832cb1  claude-code",
        "  Pushed                tazuna/068463d5",
        "          日本語",
        "  Failed: agent_failed  tazuna/f37fb2dd",
        "",
      ].join("\n"),
    );
    const remark = "not found: install it, or name its binary in the configuration";
    expect(
      tableText(
        ["AGENT", "READY", "REMARK"],
        [
          ["demo", "yes", ""],
          ["codex", "no", remark],
        ],
        30,
      ),
    ).toBe(`AGENT  READY\n  REMARK\ndemo   yes\ncodex  no\n  ${remark}\n`);
  });

  test("that is too narrow for two lines breaks rows between their cells, never inside one", () => {
    expect(tableText(HEAD, ROWS, 34)).toBe(
      [
        "43832cb1  claude-code  Pushed",
        "  tazuna/068463d5",
        "  日本語  Failed: agent_failed",
        "  tazuna/f37fb2dd",
        "",
      ].join("\n"),
    );
  });

  test("that is too narrow leaves out cells that say nothing", () => {
    expect(tableText(HEAD, [["9a77f47f", "fail", "-", "tazuna/f37fb2dd"]], 20)).toBe(
      "9a77f47f  fail\n  tazuna/f37fb2dd\n",
    );
  });

  test("leaves a cell that is wider than the window to the terminal", () => {
    expect(tableText(["KEY", "VALUE"], [["deny", "x".repeat(30)]], 20)).toBe(
      `KEY\n  VALUE\ndeny\n  ${"x".repeat(30)}\n`,
    );
  });
});

describe("the same command", () => {
  const seeded = () => {
    const world = cliWorld();
    world.services.add({
      task: aTask({ id: "task-1", title: "Fix the bug" }),
      repository: aRepository(),
      attempts: [
        {
          attempt: anAttempt({ id: "aaaa-1", patch: PUSHED_PATCH }),
          runs: [aRun({ id: "run-1", attemptId: "aaaa-1", ...PUSHED })],
        },
      ],
    });
    return world;
  };

  test("on a terminal of 40 columns writes no line that wraps", async () => {
    await using world = seeded();
    const now = () => Date.parse("2026-01-02T03:09:05.000Z");
    const { out } = await world.start(["list"], { stdout: "terminal", columns: 40, now }).ended;
    expect(out).toBe(
      [
        "TASK    TITLE        ATTEMPT  RUN",
        "  AGENT        STATE   CHANGES       AGE",
        "task-1  Fix the bug  aaaa-1   run-1",
        "  claude-code  Pushed  1 file +3 -1  5m",
        "",
      ].join("\n"),
    );
  });

  test("into a pipe keeps its columns, whatever the window", async () => {
    await using world = seeded();
    const { out } = await world.start(["list"], { stdout: "pipe", columns: 40 }).ended;
    expect(out.split("\n")[0]).toBe(
      "TASK    TITLE        ATTEMPT  RUN    AGENT        STATE   CHANGES       AGE",
    );
  });
});
