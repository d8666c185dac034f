import { describe, expect, test } from "bun:test";
import { type CliWorld, cliWorld, pushEverything } from "../helpers/cli-world.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";

function seeded(): CliWorld {
  const world = cliWorld();
  const attempts = ["aaaa-1", "bbbb-2"].map((id, at) => ({
    attempt: anAttempt({ id, number: at + 1 }),
    runs: [aRun({ id: `run-of-${id}`, attemptId: id, ...PUSHED })],
  }));
  world.services.add({ task: aTask({ id: "task-1" }), repository: aRepository(), attempts });
  pushEverything(world.services);
  return world;
}

describe("compose", () => {
  test("takes whole ids, beginnings of ids and runs; the first colon ends the attempt", async () => {
    await using world = seeded();
    const takes = ["aaaa:src/a:b.ts", "bbbb-2:.", "run-of-aaaa:two\nlines"];
    const { exit } = await world.run("compose", "task-1", ...takes.flatMap((take) => ["--take", take]));
    expect([exit, world.services.calls]).toEqual([
      0,
      ["compose task-1 aaaa-1:src/a:b.ts bbbb-2:. aaaa-1:two\nlines"],
    ]);
  });

  test.each([
    [[], "--take is missing"],
    [["--take", "aaaa-1"], '--take "aaaa-1" is not ATTEMPT:PATH'],
    [["--take", "aaaa-1:"], '--take "aaaa-1:" is not ATTEMPT:PATH'],
    [["--take", ":src"], '--take ":src" is not ATTEMPT:PATH'],
    [["--take", "aaaa-1:src", "--take", "Q:src"], "The task has no attempt Q."],
  ])("%j is bad usage, and nothing is asked for", async (words, said) => {
    await using world = seeded();
    const { exit, err } = await world.run("compose", "task-1", ...words);
    expect([exit, err]).toEqual([2, expect.stringContaining(said)]);
    expect(world.services.calls).toEqual([]);
  });
});

describe("fork", () => {
  test("begins from the run, or from the latest run of an attempt", async () => {
    await using world = seeded();
    expect((await world.run("fork", "run-of-bbbb-2", "Go on", "--agent", "codex")).exit).toBe(0);
    expect((await world.run("fork", "aaaa", "--agent", "fast")).exit).toBe(0);
    expect(world.services.calls).toEqual(["fork run-of-bbbb-2 codex", "fork run-of-aaaa-1 fast"]);
  });

  test.each([
    [["aaaa-1"], "--agent is missing"],
    [["aaaa-1", "--agent", " "], "--agent is missing"],
    [["aaaa-1", " ", "--agent", "codex"], "The instruction is empty"],
    [["task-1", "--agent", "codex"], "is a task with 2 attempts"],
  ])("%j is bad usage, and nothing is asked for", async (words, said) => {
    await using world = seeded();
    const { exit, err } = await world.run("fork", ...words);
    expect([exit, err]).toEqual([2, expect.stringContaining(said)]);
    expect(world.services.calls).toEqual([]);
  });
});
