import { describe, expect, test } from "bun:test";
import { ok } from "neverthrow";
import { type CliWorld, cliWorld } from "../helpers/cli-world.ts";
import { doorServer } from "../helpers/door-server.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

const RUN = ["run", "Fix it", "--agent", "claude-code", "--agent", "codex"];

/** A `run` of two agents that both work. */
async function working(world: CliWorld, ...more: readonly string[]) {
  const started = world.start([...RUN, ...more]);
  await waitFor("the runs", () => started.terminal.err().includes("codex r0000101: Queued"));
  for (const run of ["r0000100-run-100", "r0000101-run-101"])
    world.services.change(run, { status: "RUNNING", phase: "agent" });
  await waitFor("their work", () => started.terminal.err().includes("codex r0000101: Running"));
  return started;
}

const stops = (world: CliWorld) => world.services.calls.filter((call) => call.startsWith("stop "));

describe("Ctrl-C in a waiting command", () => {
  test("stops the runs it started, says how to go on, exits 130", async () => {
    await using world = cliWorld();
    const { terminal, ended } = await working(world);
    terminal.interrupt();
    const { exit, err, out } = await ended;
    expect(exit).toBe(130);
    expect(stops(world).toSorted()).toEqual(["stop r0000100-run-100", "stop r0000101-run-101"]);
    expect(err).toContain("Stopping 2 runs; press Ctrl-C again to leave them running.\n");
    expect(err).toEndWith(
      [
        "Stopped; branch, worktree and session are kept. To go on:",
        '  tazuna continue a0000100 "..."',
        '  tazuna continue a0000101 "..."',
        "",
      ].join("\n"),
    );
    expect(out).toContain("Stopped");
    expect(terminal.listeners()).toBe(0);
  });

  test("a second one leaves them running", async () => {
    await using world = cliWorld({ graceMs: 60_000 });
    const { terminal, ended } = await working(world);
    terminal.interrupt();
    await waitFor("the hint", () => terminal.err().includes("press Ctrl-C again"));
    terminal.interrupt();
    const { exit, err } = await ended;
    expect(exit).toBe(130);
    expect(stops(world)).toEqual([]);
    expect(err).toEndWith("Left running in the background; `tazuna wait t0000001` waits again.\n");
  });

  test("two at once leave them running too", async () => {
    await using world = cliWorld({ graceMs: 60_000 });
    const { terminal, ended } = await working(world);
    terminal.interrupt();
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(stops(world)).toEqual([]);
  });

  test("stops only what has not ended, those that wait for a person too", async () => {
    await using world = cliWorld();
    const { terminal, ended } = await working(world);
    world.services.change("r0000100-run-100", PUSHED);
    await waitFor("the end of one", () => terminal.err().includes("claude-code r0000100: Pushed"));
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(stops(world)).toEqual(["stop r0000101-run-101"]);
    expect(terminal.err()).toContain("Stopping the run; press Ctrl-C again to leave it running.\n");
  });

  test("with --json still prints the one document", async () => {
    await using world = cliWorld();
    const { terminal, ended } = await working(world, "--json");
    terminal.interrupt();
    const { exit, out } = await ended;
    const statuses = JSON.parse(out).attempts.map(
      (attempt: { runs: { status: string }[] }) => attempt.runs[0]?.status,
    );
    expect([exit, statuses]).toEqual([130, ["CANCELED", "CANCELED"]]);
  });

  test("before the server answered stops the runs as soon as they are known", async () => {
    const release = Promise.withResolvers<void>();
    await using world = cliWorld();
    const { createTask } = world.services;
    world.services.createTask = async (input) => {
      await release.promise;
      return createTask(input);
    };
    const { terminal, ended } = world.start(RUN);
    await waitFor("the command", () => terminal.listeners() === 1);
    terminal.interrupt();
    release.resolve();
    expect((await ended).exit).toBe(130);
    expect(stops(world)).toHaveLength(2);
  });

  test("twice before the server answered ends at once", async () => {
    await using world = cliWorld();
    world.services.createTask = () => new Promise(() => {});
    const { terminal, ended } = world.start(RUN);
    await waitFor("the command", () => terminal.listeners() === 1);
    terminal.interrupt();
    terminal.interrupt();
    expect(await ended).toEqual({
      exit: 130,
      out: "",
      err: "Interrupted before it was answered; `tazuna list` shows what was started.\n",
    });
  });

  test("twice while the engine is gone and no other comes ends at once", async () => {
    const door = doorServer();
    let gone = false;
    await using world = cliWorld({
      door,
      graceMs: 60_000,
      connect: () => (gone ? new Promise(() => {}) : Promise.resolve(ok(door.client))),
    });
    const { terminal, ended } = await working(world);
    gone = true;
    await door.stop();
    await waitFor("the next connection", () => world.connections.length === 2);
    terminal.interrupt();
    terminal.interrupt();
    const { exit, err } = await ended;
    expect(exit).toBe(130);
    expect(err).toEndWith("Left running in the background; `tazuna wait t0000001` waits again.\n");
  });

  test("in `wait` ends only the waiting", async () => {
    await using world = cliWorld();
    world.services.add({
      task: aTask(),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt(), runs: [aRun({ status: "RUNNING", phase: "agent" })] }],
    });
    const { terminal, ended } = world.start(["wait", "task-1"]);
    await waitFor("the progress", () => terminal.err().includes("Running"));
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(stops(world)).toEqual([]);
  });
});
