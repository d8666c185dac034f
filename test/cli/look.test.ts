import { describe, expect, test } from "bun:test";
import { ok } from "neverthrow";
import type { LogLine } from "../../src/contract/endpoints/runs.ts";
import { failure } from "../../src/domain/run/failure.ts";
import { type CliWorld, cliWorld } from "../helpers/cli-world.ts";
import {
  aCheck,
  anAttempt,
  aRepository,
  aRun,
  aTask,
  PUSHED,
  PUSHED_PATCH,
} from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

function seeded(): CliWorld {
  const world = cliWorld();
  world.services.add({
    task: aTask({ id: "task-1", title: "Fix the bug" }),
    repository: aRepository(),
    attempts: [
      {
        attempt: anAttempt({ id: "aaaa-1", patch: PUSHED_PATCH }),
        runs: [aRun({ id: "run-1", attemptId: "aaaa-1", ...PUSHED })],
      },
      { attempt: anAttempt({ id: "bbbb-2", number: 2, agent: "日本" }), runs: [] },
    ],
  });
  return world;
}

describe("list", () => {
  test("shows a line per attempt", async () => {
    await using world = seeded();
    const now = () => Date.parse("2026-01-02T06:04:05.000Z");
    expect(await world.start(["list"], { now }).ended).toEqual({
      exit: 0,
      out: [
        "TASK    TITLE        ATTEMPT  RUN    AGENT        STATE       CHANGES       AGE",
        "task-1  Fix the bug  aaaa-1   run-1  claude-code  Pushed      1 file +3 -1  3h",
        "                     bbbb-2   -      日本         No run yet  -             3h",
        "",
      ].join("\n"),
      err: "",
    });
  });

  test("names the repositories if there are several, and cuts titles before it breaks rows", async () => {
    await using world = seeded();
    const title = "A title that is longer than the window would like it to be";
    world.services.add({
      task: aTask({ id: "task-2", title }),
      repository: aRepository({ id: "other", name: "till" }),
      attempts: [{ attempt: anAttempt({ id: "c" }), runs: [] }],
    });
    const options = {
      stdout: "terminal",
      columns: 110,
      now: () => Date.parse("2026-01-05T03:04:05.000Z"),
    } as const;
    const { out } = await world.start(["list", "--all"], options).ended;
    expect(out.split("\n")[0]).toMatch(/^TASK +TITLE +REPOSITORY +ATTEMPT +RUN +AGENT +STATE +CHANGES +AGE$/);
    expect(out).toContain("  till  ");
    expect(out).toContain("  3d\n");
    expect(out).toContain("A title that is longer…");
  });

  test("asks for the repository one is in, for a named one, or for all", async () => {
    await using world = seeded();
    const start = (...words: string[]) =>
      world.start(["list", ...words], { cwd: "/code/shop", folders: ["docs"] }).ended;
    await start();
    await start("--repo", "till", "--failed");
    await start("--repo", "docs");
    await start("--all");
    expect(world.services.calls).toEqual([
      "tasks /code/shop",
      "tasks till failed",
      "tasks /code/shop/docs",
      "tasks all",
    ]);
    world.services.refuse("tasks", {
      kind: "bad_request",
      code: "not_a_repository",
      message: "/tmp is not in a git repository.",
      remedy: "Go to a repository.",
      details: {},
    });
    expect((await start()).out).toContain("Fix the bug");
    expect(world.services.calls.slice(-1)).toEqual(["tasks"]);
  });

  test("as JSON holds tasks with their attempts, and what to go on from", async () => {
    await using world = seeded();
    world.services.add({
      task: aTask({ id: "task-2" }),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt({ id: "c" }), runs: [] }],
    });
    const first = JSON.parse((await world.run("list", "--json", "--limit", "1")).out);
    expect(Object.keys(first)).toEqual(["tasks", "next"]);
    expect([first.tasks[0].id, first.tasks[0].attempts[0].runs[0].status]).toEqual(["task-1", "SUCCEEDED"]);
    const second = JSON.parse((await world.run("list", "--json", "--cursor", first.next)).out);
    expect([second.tasks.map((task: { id: string }) => task.id), second.next]).toEqual([["task-2"], null]);
  });

  test("goes on with the flags that were given, and without them if they say nothing", async () => {
    await using world = seeded();
    for (const id of ["task-2", "task-3"])
      world.services.add({
        task: aTask({ id }),
        repository: aRepository(),
        attempts: [{ attempt: anAttempt({ id: `of-${id}` }), runs: [] }],
      });
    const more = async (...words: string[]) =>
      /More: `tazuna list (.*)--cursor/.exec((await world.run("list", "--limit", "1", ...words)).out)?.[1];
    expect(await more()).toBe("--limit 1 ");
    expect(await more("--all")).toBe("--all --limit 1 ");
    expect(await more("--repo", "my shop")).toBe("--repo 'my shop' --limit 1 ");
  });

  test("says how to begin if there is nothing", async () => {
    await using world = cliWorld();
    expect((await world.run("list", "--all")).out).toBe(
      "Nothing yet. Start with `tazuna run`, or see `tazuna demo`.\n",
    );
    expect((await world.run("list", "--failed")).out).toBe("No attempt has failed in this repository.\n");
    expect((await world.run("list")).out).toBe(
      "Nothing in this repository. Start with `tazuna run`, or see `tazuna demo`. `tazuna list --all` shows every repository, and what was removed.\n",
    );
    expect(JSON.parse((await world.run("list", "--json")).out)).toEqual({ tasks: [], next: null });
  });
});

describe("show", () => {
  test("a task, an attempt and a run as JSON, with their parents' ids", async () => {
    await using world = seeded();
    const show = async (id: string) => JSON.parse((await world.run("show", id, "--json")).out);
    expect(Object.keys(await show("task"))).toEqual(["task", "attempts"]);
    expect(await show("aaaa")).toMatchObject({ id: "aaaa-1", task: "task-1", runs: [{ id: "run-1" }] });
    expect(await show("run-1")).toMatchObject({
      id: "run-1",
      attempt: "aaaa-1",
      task: "task-1",
      status: "SUCCEEDED",
    });
  });

  test("each as text", async () => {
    await using world = seeded();
    world.services.change("run-1", {
      status: "FAILED",
      outcome: null,
      failure: failure("gate_rejected", "2 findings:\nsecret.txt", {
        details: {
          findings: [{ rule: "credential", path: "secret.txt", line: 2, message: "a \u001b[31mtoken" }],
          note: "x\ny",
        },
      }),
      instruction: "Do\n\u001b[31mall",
      checks: [
        aCheck({ name: "test" }),
        aCheck({ name: "lint", outcome: "failed", exitCode: 3, required: false }),
      ],
    });
    expect((await world.run("show", "task-1")).out).toStartWith(
      "Task         task-1\nTitle        Fix the bug\nRepository   shop (/home/me/shop)\n",
    );
    expect((await world.run("show", "aaaa-1")).out).toContain("Worktree     /data/worktrees/run_1\n");
    const { out } = await world.run("show", "run-1");
    expect(out).toContain(
      "State        Failed: gate_rejected\nWhy          2 findings:\n             secret.txt\n",
    );
    expect(out).toContain(
      "Details      credential secret.txt:2: a token\n             note:\n               x\n               y\n",
    );
    expect(out).toContain(
      "Check        test passed (1s)\nCheck        lint failed with exit code 3 (1s, not required)\n",
    );
    expect((await world.run("show", "task-1")).out).toContain(
      "aaaa-1 claude-code: Checks: test passed (1s), lint failed with exit code 3 (1s, not required)\n",
    );
    const [, told] = JSON.parse((await world.run("show", "run-1", "--json")).out).checks;
    expect(told).toEqual({
      name: "lint",
      required: false,
      passed: false,
      outcome: "failed",
      exit_code: 3,
      duration_ms: 1200,
      tree: "t".repeat(40),
      log: "the end\n",
    });
    expect(out).toContain("Instruction  Do\n             all\n");
    expect(out).toContain("Usage        1200 tokens in (200 cached), 80 out, $0.0123\n");
    expect(out).toEndWith("Attempt      aaaa-1\nTask         task-1\n");
  });
});

describe("logs", () => {
  const line = (n: number, event: LogLine["event"], source: LogLine["source"] = "agent"): LogLine => ({
    n,
    at: null,
    source,
    event,
  });
  const LINES = [
    line(1, { step: "setup", text: "bun install\nok\n" }, "tazuna"),
    line(2, { kind: "session", sessionId: "s-1", model: null }),
    line(3, { kind: "message", text: "I will ", delta: false }),
    line(4, { kind: "message", text: "fix\u001b[2J it.", delta: true }),
    line(5, {
      kind: "tool_call",
      id: "t",
      tool: "Edit",
      toolKind: "edit",
      title: "Edit a.ts",
      locations: [],
    }),
    line(6, { kind: "tool_call_update", id: "t", status: "completed", output: "line 1\nline 2\n" }),
    line(7, { kind: "tool_call_update", id: "u", status: "failed", output: "boom" }),
    line(8, {
      kind: "plan",
      entries: [
        { content: "One", status: "completed" },
        { content: "Two", status: "in_progress" },
      ],
    }),
    line(9, { kind: "usage", usage: {} }),
    line(10, { kind: "warning", text: "slow" }),
    line(11, { kind: "message", text: "Done.", delta: false }),
    line(12, { kind: "something_new", x: 1 }),
    line(13, { text: "a warning\u0007" }, "stderr"),
  ];
  const TEXT = [
    "tazuna: setup: bun install",
    "ok",
    "session s-1",
    "I will fix it.",
    "> Edit a.ts",
    "  line 1",
    "  line 2",
    "  failed:",
    "  boom",
    "  [x] One",
    "  [-] Two",
    "warning: slow",
    "Done.",
    '{"kind":"something_new","x":1}',
    "stderr: a warning",
    "",
  ].join("\n");

  test("as text, cleaned", async () => {
    await using world = seeded();
    world.services.addLog("run-1", LINES, { ended: true });
    expect(await world.run("logs", "run-1")).toEqual({ exit: 0, out: TEXT, err: "" });
    expect((await world.run("logs", "aaaa")).out).toBe(TEXT);
  });

  test("--tail begins so many lines before the end, also with --follow and as JSON", async () => {
    await using world = seeded();
    world.services.addLog("run-1", LINES, { ended: true });
    const end = '{"kind":"something_new","x":1}\nstderr: a warning\n';
    expect((await world.run("logs", "run-1", "--tail", "2")).out).toBe(end);
    expect((await world.run("logs", "run-1", "--tail", "2", "--follow")).out).toBe(end);
    expect((await world.run("logs", "run-1", "--tail", "0", "-f")).out).toBe("");
    expect((await world.run("logs", "run-1", "--tail", "999")).out).toBe(TEXT);
    const { out } = await world.run("logs", "run-1", "--tail", "2", "--json");
    expect(JSON.parse(out)).toEqual({ lines: LINES.slice(-2), next: 13, sent: null });
    expect((await world.run("logs", "run-1", "--tail", "-1")).exit).toBe(2);
  });

  test("a line that comes again and again is written once, with how often", async () => {
    await using world = seeded();
    const again = (from: number, count: number, event: LogLine["event"], source?: LogLine["source"]) =>
      Array.from({ length: count }, (_, index) => line(from + index, event, source));
    world.services.addLog(
      "run-1",
      [
        ...again(1, 42, { text: "still waiting" }, "stderr"),
        ...again(43, 2, { kind: "message", text: "Hm.", delta: false }),
        ...again(45, 3, { kind: "message", text: "ha", delta: true }),
      ],
      { ended: true },
    );
    expect((await world.run("logs", "run-1")).out).toBe(
      "stderr: still waiting\n(41 times more)\nHm.\n(once more)\nhahaha\n",
    );
  });

  test("a line that was written over is shown as it was at last", async () => {
    await using world = seeded();
    world.services.addLog(
      "run-1",
      [
        line(1, { text: "10%\r20%\r100%\r" }, "stderr"),
        line(2, { text: "a line of another system\r" }, "stderr"),
        line(3, { kind: "message", text: "one\rtwo\r\nthree", delta: false }),
      ],
      { ended: true },
    );
    expect((await world.run("logs", "run-1")).out).toBe(
      "stderr: 100%\nstderr: a line of another system\ntwo\nthree\n",
    );
  });

  test("what looks the same is one line, though something came between that is not shown", async () => {
    await using world = seeded();
    const usage = { kind: "usage", usage: { inputTokens: 1 } };
    const call = (id: string) => ({ kind: "tool_call", id, title: "git status", tool: "Bash" });
    const events = [
      call("1"),
      usage,
      call("2"),
      usage,
      call("3"),
      { kind: "message", text: "Done.", delta: false },
    ];
    world.services.addLog(
      "run-1",
      events.map((event, at) => line(at + 1, event)),
      { ended: true },
    );
    expect((await world.run("logs", "run-1")).out).toBe("> git status\n(2 times more)\nDone.\n");
  });

  test("as one JSON document, all pages of it", async () => {
    await using world = seeded();
    const many = Array.from({ length: 2500 }, (_, i) => line(i + 1, { kind: "warning", text: `w${i}` }));
    world.services.addLog("run-1", many);
    const { exit, out } = await world.run("logs", "run-1", "--json");
    expect([exit, JSON.parse(out)]).toEqual([0, { lines: many, next: 2500, sent: null }]);
  });

  test("of a worker that is not there says until when it was sent", async () => {
    await using world = seeded();
    const sent = {
      worker: { id: "b", name: "mac-7" },
      until: "2026-01-02T14:02:10.250Z",
      ...{ complete: false, there: false },
    };
    world.services.addLog("run-1", LINES, { ended: true, sent });
    const words =
      "mac-7 is not there. This is what it had sent by 2026-01-02 14:02:10 UTC; what came after is on its machine.\n";
    for (const how of [[], ["--follow"], ["--json"]])
      expect((await world.run("logs", "run-1", ...how)).err).toBe(words);
    world.services.addLog("run-1", [], { ended: true, sent: { ...sent, until: null } });
    expect((await world.run("logs", "run-1")).err).toBe(
      "mac-7 is not there, and sent nothing of this log.\n",
    );
    world.services.addLog("run-1", [], { ended: true, sent: { ...sent, there: true } });
    expect((await world.run("logs", "run-1")).err).toBe("");
  });

  test("--follow goes on until the run has ended", async () => {
    await using world = seeded();
    world.services.addLog("run-1", LINES.slice(0, 4));
    const { terminal, ended } = world.start(["logs", "run-1", "--follow"]);
    await waitFor("the first lines", () => terminal.out().endsWith("fix it."));
    world.services.addLog("run-1", LINES.slice(4), { ended: true });
    expect(await ended).toEqual({ exit: 0, out: TEXT, err: "" });
  });

  test("--follow --json prints one object a line", async () => {
    await using world = seeded();
    world.services.addLog("run-1", LINES, { ended: true });
    const { exit, out } = await world.run("logs", "run-1", "-f", "--json");
    expect(exit).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each)),
    ).toEqual(LINES);
  });

  test("Ctrl-C ends the following, and leaves no line open", async () => {
    await using world = seeded();
    world.services.addLog("run-1", LINES.slice(0, 3));
    const { terminal, ended } = world.start(["logs", "run-1", "--follow"]);
    await waitFor("the first lines", () => terminal.out().endsWith("I will "));
    terminal.interrupt();
    const { exit, out } = await ended;
    expect([exit, out.endsWith("I will \n")]).toEqual([130, true]);
    expect(world.services.calls).toEqual([]);
  });
});

describe("diff", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\u001b[2K\u202e\n";
  const files = [
    { path: "x", status: "modified", additions: 1, deletions: 1, sizes: null },
    {
      path: "日本.png",
      status: "modified",
      additions: null,
      deletions: null,
      sizes: { before: 12, after: 3_000 },
    },
  ];

  test("goes to a pipe byte for byte", async () => {
    await using world = seeded();
    world.services.world.diff = { files, patch };
    expect(await world.run("diff", "aaaa")).toEqual({ exit: 0, out: patch, err: "" });
    expect(world.services.calls).toEqual(["patch aaaa-1 null"]);
  });

  test("shows a person on a terminal what would have hidden", async () => {
    await using world = seeded();
    world.services.world.diff = { files, patch };
    const { out } = await world.start(["diff", "aaaa"], { stdout: "terminal" }).ended;
    expect(out).toBe("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new␛[2K<U+202E>\n");
    const colour = await world.start(["diff", "aaaa"], { stdout: "terminal", colour: true }).ended;
    expect(colour.out).toContain("\u001b[32m+new␛[2K<U+202E>\u001b[0m\n");
  });

  test("--stat counts; another attempt is compared with", async () => {
    await using world = seeded();
    world.services.world.diff = { files, patch };
    const { out } = await world.run("diff", "aaaa", "bbbb", "--stat");
    expect(out).toBe(
      "FILE      STATUS    LINES\nx         modified  +1 -1\n日本.png  modified  binary, 12 B → 2.9 KiB\n2 files, +1 -1\n",
    );
    expect(world.services.calls).toEqual(["diffFiles aaaa-1 bbbb-2"]);
    expect(JSON.parse((await world.run("diff", "aaaa", "--json")).out)).toEqual({ files, patch });
  });
});

describe("small ones", () => {
  test("path", async () => {
    await using world = seeded();
    expect((await world.run("path", "aaaa")).out).toBe("/data/worktrees/run_1\n");
    expect(JSON.parse((await world.run("path", "aaaa", "--json")).out)).toEqual({
      path: "/data/worktrees/run_1",
    });
    world.services.add({
      task: aTask({ id: "task-2" }),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt({ id: "gone-1", state: "canceled" }), runs: [] }],
    });
    expect(await world.run("path", "gone")).toEqual({
      exit: 1,
      out: "",
      err: "tazuna: The worktree of the attempt gone-1 is in the trash. `tazuna trash restore gone-1` brings it back, `tazuna diff gone-1` shows what it changed.\n",
    });
  });

  test("activity", async () => {
    await using world = seeded();
    world.services.world.operations = [
      {
        id: "op-1",
        kind: "push",
        subject: { type: "run", id: "run-1" },
        before: null,
        after: { commit: "c" },
        status: "done",
        undoable: false,
        commands: null,
        actor: null,
        at: "2026-01-02T03:04:05.000Z",
        endedAt: null,
      },
      {
        id: "op-2",
        kind: "foreign_ref_moved",
        subject: { type: "run", id: "run-1" },
        before: { ref: "refs/heads/main", sha: "0123456789abcdef" },
        after: { ref: "refs/heads/main", sha: "fedcba9876543210", reflog: null },
        status: "done",
        undoable: true,
        commands: null,
        actor: null,
        at: "2026-01-02T03:04:05.000Z",
        endedAt: null,
      },
    ];
    expect((await world.run("activity")).out).toBe(
      [
        "OPERATION  AT                        KIND               OF         STATE       WHAT\n",
        "op-1       2026-01-02T03:04:05.000Z  push               run run-1  done\n",
        "op-2       2026-01-02T03:04:05.000Z  foreign_ref_moved  run run-1  done, undo  refs/heads/main 01234567 → fedcba98\n",
      ].join(""),
    );
    world.services.world.operations.pop();
    expect(JSON.parse((await world.run("activity", "run-1", "--json")).out).operations).toEqual([
      {
        id: "op-1",
        kind: "push",
        subject: { type: "run", id: "run-1" },
        before: null,
        after: { commit: "c" },
        status: "done",
        undoable: false,
        commands: null,
        actor: null,
        at: "2026-01-02T03:04:05.000Z",
        ended_at: null,
      },
    ]);
    expect((await world.run("activity", "aaaa")).out).toBe("Nothing was done yet.\n");
  });

  test("activity tells in one line why an act failed, whatever a hook of the remote said", async () => {
    await using world = seeded();
    const failed = (id: string, message: string) => ({
      id,
      kind: "push",
      subject: { type: "run" as const, id: "run-1" },
      before: { branch: "tazuna/x", sha: null, commit: "c" },
      after: { message },
      status: "failed" as const,
      undoable: false,
      commands: null,
      actor: null,
      at: "2026-01-02T03:04:05.000Z",
      endedAt: null,
    });
    world.services.world.operations = [
      failed("op-1", `[remote rejected] (hook declined)\nno\u001b[31mred\n${"words ".repeat(4_000)}`),
      failed("op-2", `\n${"word ".repeat(4_000)}`),
    ];
    const [, second = "", third = "", ...more] = (await world.run("activity")).out.split("\n");
    expect(second).toMatch(/ tazuna\/x: \[remote rejected\] \(hook declined\)$/);
    expect(third).toMatch(/^op-2 .* word…$/);
    expect([third.length < 300, more]).toEqual([true, [""]]);
  });

  test("activity in pages: a limit, where to go on, and all of them", async () => {
    await using world = seeded();
    const operation = (n: number) => ({
      id: `op-${n}`,
      kind: "allow",
      subject: { type: "run" as const, id: "run-1" },
      before: {
        by: "Una <una@x>",
        reason: "a test key",
        findings: [{ rule: "credential" }],
        checks: ["test"],
      },
      after: null,
      status: "done" as const,
      undoable: false,
      commands: null,
      actor: null,
      at: "2026-01-02T03:04:05.000Z",
      endedAt: null,
    });
    world.services.world.operations = Array.from({ length: 450 }, (_, n) => operation(n));
    const ids = (out: string) =>
      (JSON.parse(out).operations as { id: string }[]).map(({ id }) => Number(id.slice(3)));
    const first = JSON.parse((await world.run("activity", "--limit", "2", "--json")).out);
    expect(first.next).not.toBeNull();
    const second = await world.run("activity", "--limit", "2", "--cursor", first.next, "--json");
    expect(ids(second.out)).toEqual([2, 3]);
    const all = await world.run("activity", "--all", "--json");
    expect([ids(all.out), JSON.parse(all.out).next]).toEqual([
      Array.from({ length: 450 }, (_, n) => n),
      null,
    ]);
    const { out } = await world.run("activity", "--limit", "1");
    expect(out).toContain("credential, check:test by Una <una@x> (a test key)");
    expect(out).toContain(`More: \`tazuna activity --limit 1 --cursor `);
    expect((await world.run("activity", "--limit", "0")).exit).toBe(2);
  });

  test("agents, asked for the folder one is in", async () => {
    await using world = seeded();
    world.services.world.agents = [
      {
        id: "codex",
        executor: "codex",
        version: "0.50.0",
        ready: false,
        reason: "Not logged in:\n`codex login`.",
      },
      { id: "demo", executor: "demo", version: null, ready: true, reason: null },
    ];
    expect((await world.run("agents")).out).toBe(
      "AGENT  EXECUTOR  VERSION  READY  REMARK\ncodex  codex     0.50.0   no     Not logged in: `codex login`.\ndemo   demo      -        yes\n",
    );
    expect(world.services.calls).toEqual(["agents /home/me/shop"]);
    expect(JSON.parse((await world.run("agents", "--json")).out)).toEqual({
      agents: world.services.world.agents,
    });
  });

  test("repo list, add and move", async () => {
    await using world = seeded();
    expect((await world.run("repo", "list")).out).toBe("ID      NAME  PATH\nrepo-1  shop  /home/me/shop\n");
    const document = (out: string) => JSON.parse(out).repositories.map(({ path }: { path: string }) => path);
    expect(document((await world.run("repo", "--json")).out)).toEqual(["/home/me/shop"]);
    expect(document((await world.run("repo", "add", "--json")).out)).toEqual(["/home/me/shop"]);
    expect(document((await world.run("repo", "add", "../new one", "--json")).out)).toEqual([
      "/home/me/new one",
    ]);
    expect(document((await world.run("repo", "move", "repo-1", "/x", "--json")).out)).toEqual(["/x"]);
    expect(world.services.calls).toEqual([
      "addRepository /home/me/shop",
      "addRepository /home/me/new one",
      "moveRepository repo-1 /x",
    ]);
  });

  test("config with the source of each value, and its schema without an engine", async () => {
    await using world = cliWorld({ entries: { configSchema: async () => ({ type: "object" }) } });
    world.services.world.config = [
      { key: "base", value: "main", source: "/r/.tazuna/config.json" },
      { key: "limits.parallel", value: 8, source: "default" },
    ];
    expect((await world.run("config")).out).toBe(
      'KEY              VALUE   FROM\nbase             "main"  /r/.tazuna/config.json\nlimits.parallel  8       default\n',
    );
    expect(JSON.parse((await world.run("config", "--json")).out)).toEqual({
      base: { value: "main", source: "/r/.tazuna/config.json" },
      "limits.parallel": { value: 8, source: "default" },
    });
    const connections = world.connections.length;
    for (const argv of [
      ["config", "--schema"],
      ["config", "--schema", "--json"],
    ])
      expect(JSON.parse((await world.run(...argv)).out)).toEqual({ type: "object" });
    expect(world.connections).toHaveLength(connections);
  });

  test("open prints the link, and opens a browser only for a person", async () => {
    await using world = seeded();
    const piped = await world.run("open");
    expect(piped.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{32}\n$/);
    const { url } = JSON.parse((await world.run("open", "aaaa", "--json")).out);
    expect(url).toContain("&attempt=aaaa-1");
    const { terminal, ended } = world.start(["open"], { stdout: "terminal" });
    const { out } = await ended;
    expect(terminal.opened).toEqual([out.trim().replace("Opened ", "")]);
  });
});

describe("serve", () => {
  test("hands its options over and prints one line", async () => {
    const asked: unknown[] = [];
    const serving = { url: "http://127.0.0.1:4000", link: "http://127.0.0.1:4000/sign-in?code=x" };
    await using world = cliWorld({
      entries: {
        serve: async (options, onReady) => {
          asked.push(options);
          onReady(serving);
          return ok(undefined);
        },
      },
    });
    const argv = [
      "serve",
      "--port",
      "0",
      "--host",
      "::1",
      "--database",
      "postgres://x",
      "--logs",
      "s3://logs/team",
      "--depot",
      "/srv/depot",
      "--open",
      "--idle-exit",
      "600",
    ];
    expect(await world.run(...argv)).toEqual({
      exit: 0,
      out: "Tazuna serves http://127.0.0.1:4000 and signs you in once with http://127.0.0.1:4000/sign-in?code=x\n",
      err: "",
    });
    expect(JSON.parse((await world.run("--json")).out)).toEqual(serving);
    expect((await world.run()).exit).toBe(0);
    expect((await world.run("--port", "1")).exit).toBe(0);
    const reached = (await world.run("--host", "h", "--tls-cert", "/c", "--tls-key", "/k")).exit;
    const proxied = await world.run(
      "--trust-proxy",
      "::1",
      "--trust-proxy",
      "10.0.0.0/8",
      "--public-url",
      "u",
    );
    const team = await world.run(
      ...["--oidc-issuer", "https://id.example", "--oidc-client", "tazuna"],
      ...["--oidc-client-secret-file", "/s", "--oidc-admins", "a@x.example, b@x.example,"],
      ...["--oidc-domains", "x.example", "--oidc-role", "member"],
    );
    expect([reached, proxied.exit, team.exit]).toEqual([0, 0, 0]);
    const local = { host: null, tlsCert: null, tlsKey: null, trustProxy: [], publicUrl: null };
    const nobody = {
      issuer: null,
      clientId: null,
      secretFile: null,
      admins: [],
      domains: [],
      firstRole: null,
    };
    const none = {
      ...{ ...local, oidc: nobody, port: null, database: null, depot: null, logs: null, labels: null },
      open: false,
      idleExitS: null,
    };
    expect(asked).toEqual([
      {
        ...none,
        port: 0,
        host: "::1",
        database: "postgres://x",
        depot: "/srv/depot",
        logs: "s3://logs/team",
        open: true,
        idleExitS: 600,
      },
      none,
      none,
      { ...none, port: 1 },
      { ...none, host: "h", tlsCert: "/c", tlsKey: "/k" },
      { ...none, trustProxy: ["::1", "10.0.0.0/8"], publicUrl: "u" },
      {
        ...none,
        oidc: {
          issuer: "https://id.example",
          clientId: "tazuna",
          secretFile: "/s",
          admins: ["a@x.example", "b@x.example"],
          domains: ["x.example"],
          firstRole: "member",
        },
      },
    ]);
    expect(world.connections).toEqual([]);
  });
});

describe("an attempt that is gone", () => {
  test("tells why its run failed, but not to go on with it", async () => {
    await using world = cliWorld();
    world.services.add({
      task: aTask({ id: "task-1", title: "Fix the bug" }),
      repository: aRepository(),
      attempts: [
        {
          attempt: anAttempt({ id: "aaaa-1", state: "removed" }),
          runs: [
            aRun({
              id: "run-1",
              attemptId: "aaaa-1",
              status: "FAILED",
              failure: failure("stalled", "It said nothing."),
            }),
          ],
        },
      ],
    });
    const { out } = await world.run("show", "task-1");
    expect(out).toEndWith("\naaaa-1 claude-code: It said nothing.\n");
  });
});
