import { describe, expect, test } from "bun:test";
import { showRun, showTask } from "../../src/api/documents/show-task.ts";
import { createLiveProgress } from "../../src/cli/progress/live.ts";
import { drawRows, type Row } from "../../src/cli/progress/rows.ts";
import { createTaskProgress } from "../../src/cli/progress/task-progress.ts";
import { columnsOf } from "../../src/contract/columns.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import { cliWorld } from "../helpers/cli-world.ts";
import { fakeTerminal } from "../helpers/fake-terminal.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";
import { screenOf } from "../helpers/screen.ts";
import { waitFor } from "../helpers/wait-for.ts";

const NOW = Date.parse("2026-01-02T03:05:12.000Z");
const row = (label: string, run: Partial<RunView>, action: string | null = null): Row => ({
  label,
  run: showRun(aRun({ id: `run-${label}`, ...run })),
  action,
});
const ROWS: readonly Row[] = [
  row(
    "claude-code",
    { status: "RUNNING", phase: "agent" },
    "Edit src/very/long/path/to/a/file/that/does/not/fit.ts",
  ),
  row("codex", PUSHED, "not shown any more"),
  row("日本語エージェント", { status: "RUNNING", phase: "agent" }, "テストを実行しています"),
  row("gemini", { status: "PENDING", phase: "queued" }),
];

describe("live lines", () => {
  test("show sign, agent, state, last action and time", () => {
    expect(drawRows(ROWS, { columns: 80, now: NOW, colour: false })).toEqual([
      "● claude-code         Running            Edit src/very/long/path/to/a… 1m 07s",
      "✓ codex               Pushed                                           1m 00s",
      "● 日本語エージェント  Running            テストを実行しています        1m 07s",
      "○ gemini              Queued                                           1m 07s",
    ]);
  });

  test.each([10, 20, 40, 60, 79, 80, 200])(
    "fit into %i columns, wide characters counted as two",
    (columns) => {
      for (const line of drawRows(ROWS, { columns, now: NOW, colour: false }))
        expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(4, columns - 3));
    },
  );

  test("colour only the sign", () => {
    const [line] = drawRows([row("a", PUSHED)], { columns: 40, now: NOW, colour: true });
    expect(line).toStartWith("\u001b[32m✓\u001b[0m a");
  });

  test("what the agent does cannot steer the terminal", () => {
    const evil = row("a\u001b[2J", { status: "RUNNING", phase: "agent" }, "x\u001b]0;t\u0007\ny\u202e");
    expect(drawRows([evil], { columns: 60, now: NOW, colour: false })).toEqual([
      "● a  Running  x y                                  1m 07s",
    ]);
  });
});

describe("drawing live lines", () => {
  const clock = () => {
    let now = NOW;
    return {
      now: () => now,
      pass: (ms: number) => {
        now += ms;
      },
    };
  };

  test("rewrites in place: the screen holds each line once, what was said stays above", () => {
    const { now, pass } = clock();
    const terminal = fakeTerminal({ stderr: "terminal", columns: 60, rows: 20, now });
    const progress = createLiveProgress(terminal);
    progress.show([
      row("a", { status: "PENDING", phase: "queued" }),
      row("b", { status: "PENDING", phase: "queued" }),
    ]);
    pass(1000);
    progress.show([row("a", { status: "RUNNING", phase: "agent" }, "Edit x.ts"), row("b", PUSHED)]);
    progress.say("Stopping\u001b[2J.");
    pass(1000);
    progress.show([row("a", PUSHED), row("b", PUSHED)]);
    progress.end();
    expect(screenOf(terminal.err(), { columns: 60 })).toEqual([
      "Stopping.",
      "✓ a  Pushed                                        1m 00s",
      "✓ b  Pushed                                        1m 00s",
    ]);
  });

  test("writes nothing if nothing changed, and each drawing in one write", () => {
    const { now, pass } = clock();
    const terminal = fakeTerminal({ stderr: "terminal", now });
    const progress = createLiveProgress(terminal);
    for (let i = 0; i < 5; i += 1) {
      progress.show([row("a", PUSHED)]);
      pass(500);
    }
    progress.end();
    expect(terminal.writes).toHaveLength(1);
    expect(terminal.writes[0]).toStartWith("\u001b[?2026h");
    expect(terminal.writes[0]).toEndWith("\u001b[?2026l");
  });

  test("draws at most ten times a second, and the last state in the end", () => {
    const { now, pass } = clock();
    const terminal = fakeTerminal({ stderr: "terminal", now });
    const progress = createLiveProgress(terminal);
    for (let i = 0; i < 1000; i += 1) {
      progress.show([row("a", { status: "RUNNING", phase: "agent" }, `step ${i}`)]);
      pass(1);
    }
    progress.end();
    expect(terminal.writes.length).toBeLessThanOrEqual(12);
    expect(screenOf(terminal.err(), { columns: 100 })[0]).toContain("step 999");
  });

  test("a window that became narrower leaves no torn lines", () => {
    const { now, pass } = clock();
    const terminal = fakeTerminal({ stderr: "terminal", columns: 80, now });
    const progress = createLiveProgress(terminal);
    const rows = [
      row("claude-code", { status: "RUNNING", phase: "agent" }, "Edit a/b/c.ts"),
      row("codex", PUSHED),
    ];
    progress.show(rows);
    pass(1000);
    terminal.resize(30);
    progress.show(rows);
    progress.end();
    // Two lines of 77 columns stand on 3 rows each in the narrow window.
    expect(terminal.writes[1]).toStartWith("\u001b[?2026h\u001b[6A\r");
  });

  test("more runs than lines: those that go on first, the others are counted", () => {
    const terminal = fakeTerminal({ stderr: "terminal", rows: 5, now: () => NOW });
    const progress = createLiveProgress(terminal);
    progress.show([
      ...Array.from({ length: 6 }, (_, i) => row(`done${i}`, PUSHED)),
      ...Array.from({ length: 2 }, (_, i) => row(`busy${i}`, { status: "RUNNING", phase: "agent" })),
    ]);
    progress.end();
    const screen = screenOf(terminal.err(), { columns: 100 });
    expect(screen.map((line) => line.trim().split(/\s+/).slice(0, 4).join(" "))).toEqual([
      expect.stringContaining("● busy0"),
      expect.stringContaining("● busy1"),
      expect.stringContaining("✓ done0"),
      "… and 5 more",
    ]);
  });
});

describe("the progress of a command", () => {
  test("is live on a terminal and shows what the agents do", async () => {
    await using world = cliWorld();
    const { terminal, ended } = world.start(["run", "x", "--agent", "demo", "--agent", "demo"], {
      stderr: "terminal",
    });
    await waitFor("the lines", () => terminal.err().includes("demo 2"));
    world.services.change("r0000100-run-100", { status: "RUNNING", phase: "agent" });
    await waitFor("the state", () => terminal.err().includes("Running"));
    world.services.act("r0000100-run-100", "Edit hello.txt");
    await waitFor("the action", () => terminal.err().includes("Edit hello.txt"));
    world.services.change("r0000100-run-100", PUSHED);
    world.services.change("r0000101-run-101", PUSHED);
    const { exit, err } = await ended;
    const screen = screenOf(err, { columns: 100 });
    expect([exit, screen.length]).toEqual([0, 2]);
    expect(screen[0]).toMatch(/^✓ demo 1 {2}Pushed {2,}1m 00s$/);
  });

  test("passes over no state although it looks only now and then", async () => {
    await using world = cliWorld();
    const { terminal, ended } = world.start(["run", "x", "--agent", "codex"]);
    await waitFor("the lines", () => terminal.err().includes("Queued"));
    await waitFor("the stream", () => world.services.world.listeners === 1);
    const states = [
      ["PENDING", "preparing"],
      ["RUNNING", "agent"],
      ["STAGING", "proving"],
      ["STAGING", "staging"],
      ["STAGING", "checking"],
      ["COMMITTING", null],
      ["PUSHING", null],
    ] as const;
    for (const [status, phase] of states) world.services.change("r0000100-run-100", { status, phase });
    await waitFor("the last state", () => terminal.err().includes("Pushing"));
    world.services.change("r0000100-run-100", PUSHED);
    const words = (await ended).err
      .trim()
      .split("\n")
      .map((line) => line.split(": ")[1]);
    // A look may be ahead of the facts; what it shows then is never taken back.
    expect(words.at(-1)).toBe("Pushed");
    expect(words).toEqual(words.filter((word, index) => words.indexOf(word) === index));
  });

  test("tells the base that becomes known meanwhile, not how the checkout differed from an older one", () => {
    const told = (...shas: (string | null)[]) => {
      const terminal = fakeTerminal();
      const progress = createTaskProgress(terminal, new Set(["run-1"]));
      const startedFrom = { name: "main", fromWorktree: false, ahead: 0, behind: 0 };
      for (const sha of shas) {
        const attempt = anAttempt({ base: { branch: "main", sha }, startedFrom });
        const attempts = [{ attempt, runs: [aRun({ id: "run-1" })] }];
        progress.known(showTask({ task: aTask(), repository: aRepository(), attempts }));
      }
      return terminal.err().includes("Base: ");
    };
    expect([told(null, "b".repeat(40)), told("b".repeat(40), "b".repeat(40))]).toEqual([true, false]);
  });

  test("a look that began before a fact does not take it back", () => {
    const terminal = fakeTerminal();
    const progress = createTaskProgress(terminal, new Set(["run-1"]));
    const looked = (run: Partial<RunView>) =>
      showTask({
        task: aTask(),
        repository: aRepository(),
        attempts: [{ attempt: anAttempt({ agent: "codex" }), runs: [aRun({ id: "run-1", ...run })] }],
      });
    progress.known(looked({ status: "STAGING", phase: "proving" }));
    progress.fact({
      seq: 1,
      at: "2026-01-02T03:04:05.000Z",
      kind: "run.state",
      task: "task-1",
      attempt: "attempt-1",
      run: "run-1",
      data: { status: "STAGING", phase: "staging" },
    });
    progress.known(looked({ status: "STAGING", phase: "proving" }));
    progress.known(looked(PUSHED));
    expect(
      terminal
        .err()
        .split("\n")
        .map((line) => line.split(": ")[1]),
    ).toEqual(["Proving ownership", "Staging", "Pushed", undefined]);
  });
});
