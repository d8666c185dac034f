import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { failure } from "../../src/domain/run/failure.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import { cliWorld, pushEverything } from "../helpers/cli-world.ts";
import { doorServer } from "../helpers/door-server.ts";
import type { MemoryServices } from "../helpers/memory-services.ts";
import { A_QUESTION, PUSHED } from "../helpers/sample-documents.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** The n-th attempt of a new task comes to the n-th end. */
function endAs(services: MemoryServices, ...ends: readonly Partial<RunView>[]): void {
  services.onCreated = ({ attempts }) => {
    for (const [index, { runs }] of attempts.entries())
      services.change(runs[0]?.id ?? "", ends[index] ?? PUSHED);
  };
}

const FAILED: Partial<RunView> = {
  status: "FAILED",
  phase: null,
  failure: failure("push_auth", "The remote asked for a password.", {
    remedy: "Log in, then `tazuna retry a`.",
  }),
  endedAt: "2026-01-02T03:05:05.000Z",
};
const WAITING: Partial<RunView> = { status: "RUNNING", phase: "waiting", question: A_QUESTION };
const NO_CHANGES: Partial<RunView> = { status: "SUCCEEDED", phase: null, outcome: "no_changes" };
const STOPPED: Partial<RunView> = { status: "CANCELED", phase: null };

const RUN = ["run", "Fix the bug", "--agent", "claude-code", "--agent", "codex"];

describe("tazuna run", () => {
  test("says what held each agent, and why no more did", async () => {
    await using world = cliWorld();
    const isolationReason = "bwrap is not installed.";
    endAs(world.services, { ...PUSHED, isolation: "sandbox" }, { ...PUSHED, isolationReason });
    const { out } = await world.run(...RUN);
    expect(out).toContain(
      [
        "",
        "Isolation: sandbox (a0000100)",
        "Isolation: guard, not the sandbox: bwrap is not installed. `tazuna doctor` says how to get more. (a0000101)",
        "",
      ].join("\n"),
    );
  });

  test("seed 003 Overall architecture: `tazuna run` creates the task, waits, and prints a table (departs: the web interface follows)", async () => {
    await using world = cliWorld();
    pushEverything(world.services);
    const { exit, out, err } = await world.run(...RUN);
    expect(exit).toBe(0);
    expect(out).toBe(
      [
        "t0000001  Fix the bug",
        "",
        "ATTEMPT   AGENT        STATE   CHANGES       COMMIT        BRANCH",
        "a0000100  claude-code  Pushed  1 file +3 -1  cccccccccccc  tazuna/0a1b2c3d",
        "a0000101  codex        Pushed  1 file +3 -1  cccccccccccc  tazuna/0a1b2c3d",
        "",
        "Base: main bbbbbbb",
        "Isolation: guard",
        "",
        "Next:",
        "  tazuna diff a0000100            what it changed",
        "  tazuna diff a0000100 a0000101   how the two differ",
        "  tazuna logs a0000100            what it did",
        '  tazuna continue a0000100 "..."  go on with it',
        "",
      ].join("\n"),
    );
    expect(err.split("\n").toSorted()).toEqual([
      "",
      "claude-code r0000100: Pushed",
      "claude-code r0000100: Queued",
      "codex r0000101: Pushed",
      "codex r0000101: Queued",
    ]);
    expect(world.connections).toEqual([{ foreground: false }]);
  });

  test("with --json prints one document of the contract's shape, and nothing else", async () => {
    await using world = cliWorld();
    pushEverything(world.services);
    const { exit, out } = await world.run(...RUN, "--json");
    const document = JSON.parse(out) as TaskDocument;
    expect(exit).toBe(0);
    expect(Object.keys(document)).toEqual(["task", "attempts"]);
    expect(document.attempts.map(({ agent }) => agent)).toEqual(["claude-code", "codex"]);
    expect(document.attempts[0]).toMatchObject({
      branch: "tazuna/0a1b2c3d",
      worktree: "/data/worktrees/run_1",
      base: { branch: "main", sha: "b".repeat(40) },
      runs: [
        {
          status: "SUCCEEDED",
          phase: null,
          outcome: "pushed",
          failure: null,
          commit: "c".repeat(40),
          summary: "Fixed it.",
          usage: { input_tokens: 1200 },
          patch: { files: 1, additions: 3, deletions: 1, path: "/data/runs/run-1/patch.diff" },
        },
      ],
    });
  });

  test("hands every option over", async () => {
    await using dir = await tempDir();
    await using world = cliWorld();
    pushEverything(world.services);
    await Bun.write(join(dir.path, "prompt.md"), "# Do\n\nall of it\n");
    const options = [
      ["--repo", "../other repo"],
      ["--agent", "mine"],
      ["--base", "release/1"],
      ["--title=--a title that begins so"],
      ["--context=two\nlines"],
      ["--constraints", "- none\n- at all"],
      ["--file", join(dir.path, "prompt.md")],
      ["--from-worktree"],
      ["--branch", "topic"],
      ["--budget", "2.50"],
      ["--offline"],
      ["--foreground"],
    ].flat();
    const { exit } = await world.run("run", ...options);
    expect(exit).toBe(0);
    expect(world.services.created).toEqual([
      {
        repository: "/home/me/other repo",
        title: "--a title that begins so",
        issue: "# Do\n\nall of it\n",
        context: "two\nlines",
        constraints: "- none\n- at all",
        base: "release/1",
        agents: [{ id: "mine", model: null }],
        publish: null,
        branch: "topic",
        fromWorktree: true,
        offline: true,
        budgetUsd: 2.5,
        settings: {},
        worker: null,
        onLabels: [],
      },
    ]);
    expect(world.connections).toEqual([{ foreground: true }]);
  });

  test("takes an instruction that begins with a dash after --, and an agent twice", async () => {
    await using world = cliWorld();
    pushEverything(world.services);
    const { out } = await world.run("run", "--agent=demo", "--agent=demo", "--json", "--", "--fix the bug");
    expect(JSON.parse(out).task.issue).toBe("--fix the bug");
    expect(world.services.created[0]?.agents).toHaveLength(2);
    expect(world.services.created[0]?.repository).toBe("/home/me/shop");
  });

  test("a failure without a commit has its remedy, and no next steps", async () => {
    await using world = cliWorld();
    endAs(world.services, FAILED, FAILED);
    expect((await world.run(...RUN)).out).not.toContain("Next:");
  });

  test.each([
    ["one failed, one waits", [FAILED, WAITING], 1],
    ["one stopped by somebody else", [STOPPED, PUSHED], 1],
    ["one waits for a person, one is done", [WAITING, PUSHED], 3],
    ["no changes is done", [NO_CHANGES, PUSHED], 0],
  ] as const)("%s", async (_, ends, code) => {
    await using world = cliWorld();
    endAs(world.services, ...ends);
    expect((await world.run(...RUN)).exit).toBe(code);
  });

  test("a failure is shown with its remedy, and so are notes", async () => {
    await using world = cliWorld();
    endAs(world.services, FAILED, {
      ...PUSHED,
      notes: [{ code: "denied_path", message: ".env was left out", details: {} }],
    });
    const { out } = await world.run(...RUN);
    expect(out).toContain(
      [
        "",
        "a0000100 claude-code: The remote asked for a password.",
        "  Log in, then `tazuna retry a`.",
        "a0000101 codex: .env was left out",
        "",
      ].join("\n"),
    );
  });

  test("a rate limit is waited for", async () => {
    await using world = cliWorld();
    let run = "";
    world.services.onCreated = ({ attempts }) => {
      run = attempts[0]?.runs[0]?.id ?? "";
      world.services.change(run, { ...WAITING, question: null, resumeAt: "2026-01-02T15:30:00.000Z" });
    };
    const { terminal, ended } = world.start(["run", "x", "--agent", "codex"]);
    const words = "codex r0000100: Rate limited until 15:30 UTC, resumes by itself\n";
    await waitFor("the limit to be told", () => terminal.err().includes(words));
    world.services.change(run, { ...PUSHED, resumeAt: null });
    expect((await ended).exit).toBe(0);
  });

  test("--detach answers at once", async () => {
    await using world = cliWorld();
    const { exit, out } = await world.run("run", "x", "--agent", "codex", "--detach");
    expect(exit).toBe(0);
    expect(out).toContain("Queued");
    expect(out).toEndWith("\nWait for it with `tazuna wait t0000001`.\n");
    const json = await world.run("run", "x", "--agent", "codex", "--detach", "--json");
    expect(JSON.parse(json.out).attempts[0].runs[0].status).toBe("PENDING");
  });

  test("what agents and people wrote cannot steer the terminal", async () => {
    await using world = cliWorld();
    const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31mred\u202e";
    endAs(world.services, { ...FAILED, failure: failure("internal", `${evil}\nline two`) }, PUSHED);
    const { out, err } = await world.run(
      "run",
      "x",
      "--title",
      `Fix ${evil}`,
      "--agent",
      `a${evil}`,
      "--agent",
      "b",
    );
    for (const text of [out, err]) expect(text).toBe(text.replace(/[^\n\x20-\x7e]/g, ""));
    expect(out).toContain("Fix red");
    expect(out).toContain("line two");
    const json = await world.run("run", "x", "--title", evil, "--agent", "a", "--json");
    expect(json.out).toBe(json.out.replace(/[^\n\x20-\x7e]/g, ""));
    expect(JSON.parse(json.out).task.title).toBe(evil);
  });
});

describe("when the engine goes away", () => {
  test("the waiting goes on with the next engine, and nothing is asked twice", async () => {
    await using first = cliWorld();
    const { services } = first;
    let engine = first.door;
    await using world = cliWorld({
      door: first.door,
      connect: async () => ok(engine.client),
    });
    const { terminal, ended } = world.start(["run", "x", "--agent", "codex"]);
    await waitFor("the progress", () => terminal.err().includes("Queued"));
    await using next = doorServer({ services });
    engine = next;
    await first.door.stop();
    services.change("r0000100-run-100", PUSHED);
    expect((await ended).exit).toBe(0);
    expect(services.created).toHaveLength(1);
    expect(world.connections.length).toBeGreaterThan(1);
  });

  test("an engine that cannot be started any more ends the waiting with its reason", async () => {
    const door = doorServer();
    let alive = true;
    const dead = {
      exit: 1,
      code: "engine_failed",
      message: "The engine does not start.",
      remedy: "See server.log.",
      details: {},
    } as const;
    await using world = cliWorld({ door, connect: async () => (alive ? ok(door.client) : err(dead)) });
    const { terminal, ended } = world.start(["run", "x", "--agent", "codex"]);
    await waitFor("the progress", () => terminal.err().includes("Queued"));
    alive = false;
    await door.stop();
    const { exit, err: said } = await ended;
    expect([exit, said.split("\n").at(-2)]).toEqual([
      1,
      "tazuna: The engine does not start. See server.log.",
    ]);
    expect(terminal.listeners()).toBe(0);
  });
});
