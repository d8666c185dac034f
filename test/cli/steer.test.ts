import { describe, expect, test } from "bun:test";
import { type CliWorld, cliWorld, pushEverything } from "../helpers/cli-world.ts";
import { anAttempt, aRepository, aRun, aTask, PUSHED } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Two attempts of one task: the first has a pushed run, the second one that works. */
function seeded(): CliWorld {
  const world = cliWorld();
  world.services.add({
    task: aTask({ id: "task-1" }),
    repository: aRepository(),
    attempts: [
      {
        attempt: anAttempt({ id: "aaaa-1" }),
        runs: [aRun({ id: "r1-done", attemptId: "aaaa-1", ...PUSHED })],
      },
      {
        attempt: anAttempt({ id: "bbbb-2", number: 2, agent: "codex" }),
        runs: [aRun({ id: "r2-busy", attemptId: "bbbb-2", status: "RUNNING", phase: "agent" })],
      },
    ],
  });
  return world;
}

const attempts = (out: string) =>
  JSON.parse(out).attempts.map((attempt: { id: string; runs: { id: string; status: string }[] }) => [
    attempt.id,
    ...attempt.runs.map((run) => run.status),
  ]);

describe("continue", () => {
  test("adds a run to the attempt and waits for it; the document has that attempt only", async () => {
    await using world = seeded();
    pushEverything(world.services);
    const { exit, out } = await world.run("continue", "aaaa", "Now the tests", "--merge-base", "--json");
    expect([exit, attempts(out)]).toEqual([0, [["aaaa-1", "SUCCEEDED", "SUCCEEDED"]]]);
    expect(world.services.calls).toEqual(["followUp aaaa-1 Now the tests true"]);
  });

  test("without an instruction commits the person's own edits", async () => {
    await using world = seeded();
    pushEverything(world.services);
    expect((await world.run("continue", "aaaa-1")).exit).toBe(0);
    expect(world.services.calls).toEqual(["followUp aaaa-1 null false"]);
  });

  test("--message is for the person's own edits; nothing is asked for otherwise", async () => {
    await using world = seeded();
    const refused = async (...words: string[]) => {
      const { exit, err } = await world.run("continue", "aaaa-1", ...words);
      return [exit, err];
    };
    const own =
      "tazuna: --message is for edits of your own. Leave out the instruction, or leave out --message.\n";
    expect(await refused("x", "--message", "y")).toEqual([2, own]);
    expect(await refused("--file", "-", "--message", "y")).toEqual([2, own]);
    expect(await refused("--message", " ")).toEqual([
      2,
      "tazuna: --message is empty. Write what the commit does, or leave it out.\n",
    ]);
    expect(await refused("x", "--file", "y")).toEqual([
      2,
      "tazuna: INSTRUCTION and --file exclude each other. Leave out one of them.\n",
    ]);
    expect(world.services.calls).toEqual([]);
  });

  test("takes a run's id for its attempt, but not a task of several attempts", async () => {
    await using world = seeded();
    pushEverything(world.services);
    expect((await world.run("continue", "r1", "x")).exit).toBe(0);
    const { exit, err } = await world.run("continue", "task-1", "x");
    expect([exit, err]).toEqual([
      2,
      'tazuna: "task-1" is a task with 2 attempts. Name one of them: aaaa-1 (claude-code), bbbb-2 (codex).\n',
    ]);
  });

  test("a follow-up that is held waits for a person", async () => {
    await using world = seeded();
    world.services.onCreated = ({ attempts: [, second] }) => {
      world.services.change("r2-busy", { status: "FAILED", phase: null });
      world.services.change(second?.runs.at(-1)?.id ?? "", { held: true });
    };
    expect((await world.run("continue", "bbbb-2", "x")).exit).toBe(3);
  });
});

describe("retry", () => {
  test("does the run again, or only its push", async () => {
    await using world = seeded();
    pushEverything(world.services);
    expect((await world.run("retry", "r1-done")).exit).toBe(0);
    const { exit, out } = await world.run("retry", "aaaa-1", "--from", "push", "--json");
    expect([exit, attempts(out)]).toEqual([0, [["aaaa-1", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]]]);
    // An attempt stands for its latest run, which the first retry has made.
    expect(world.services.calls).toEqual(["retry r1-done start", "retry r0000001-run-1 push"]);
  });
});

describe("publish", () => {
  test("hands over what is allowed and why, also one without the other, which the engine refuses", async () => {
    await using world = seeded();
    pushEverything(world.services);
    const allow = ["--allow", "credential", "--allow", "check:test"];
    const { exit } = await world.run("publish", "aaaa", ...allow, "--reason", " A test key ");
    expect([exit, world.services.calls]).toEqual([0, ["publish aaaa-1 credential,check:test A test key"]]);
    expect((await world.run("publish", "aaaa")).exit).toBe(0);
    expect(world.services.calls.at(-1)).toBe("publish aaaa-1  null");
    await world.run("publish", "aaaa", ...allow);
    expect(world.services.calls.at(-1)).toBe("publish aaaa-1 credential,check:test null");
    await world.run("publish", "aaaa", ...allow, "--reason", " ");
    expect(world.services.calls.at(-1)).toBe("publish aaaa-1 credential,check:test null");
    await world.run("publish", "aaaa", "--reason", "x");
    expect(world.services.calls.at(-1)).toBe("publish aaaa-1  x");
  });
});

describe("stop", () => {
  test("stops a run and waits until it has ended", async () => {
    await using world = seeded();
    const { exit, out } = await world.run("stop", "r2", "--json");
    expect([exit, attempts(out)]).toEqual([0, [["bbbb-2", "CANCELED"]]]);
  });

  test("waits for a run that waits for a person, too", async () => {
    await using world = seeded();
    world.services.change("r2-busy", { status: "RUNNING", phase: "waiting" });
    const { services } = world;
    services.stop = async (id) => {
      setTimeout(() => services.change(id, { status: "CANCELED", phase: null }), 150);
      return services.task("task-1");
    };
    const { exit, out } = await world.run("stop", "r2", "--json");
    expect([exit, attempts(out)]).toEqual([0, [["bbbb-2", "CANCELED"]]]);
  });

  test("of an unknown id says so", async () => {
    await using world = seeded();
    expect(await world.run("stop", "zzz")).toEqual({
      exit: 1,
      out: "",
      err: 'tazuna: No task, attempt or run has the id "zzz". `tazuna list --all` shows the ids.\n',
    });
    expect((await world.run("stop", "a")).exit).toBe(0);
    const ambiguous = await world.run("stop", "r");
    expect([ambiguous.exit, ambiguous.err]).toEqual([
      2,
      "tazuna: The id begins more than one thing. Give more of it.\n",
    ]);
  });
});

describe("cancel", () => {
  test("of an attempt waits until its worktree is gone", async () => {
    await using world = seeded();
    const { terminal, ended } = world.start(["cancel", "bbbb-2", "--json"]);
    await waitFor("the cancel", () => world.services.calls.includes("cancel bbbb-2"));
    await Bun.sleep(150);
    expect(terminal.out()).toBe("");
    world.services.changeAttempt("bbbb-2", { state: "removed" });
    const { exit, out } = await ended;
    expect([exit, attempts(out), JSON.parse(out).attempts[0].state]).toEqual([
      0,
      [["bbbb-2", "CANCELED"]],
      "removed",
    ]);
  });

  test("does not wait for a clean-up that cannot go on: it says what is left, why, and what happens next", async () => {
    await using world = seeded();
    const { ended } = world.start(["cancel", "bbbb-2", "--json"]);
    await waitFor("the cancel", () => world.services.calls.includes("cancel bbbb-2"));
    const cleanUp = {
      why: "the worktree is kept: mkdir \u001b[31m/data/trash",
      triedAt: "2026-01-02T03:04:05.000Z",
      againAt: "2026-01-02T03:06:05.000Z",
    };
    world.services.changeAttempt("bbbb-2", { cleanUp });
    const { exit, out } = await ended;
    expect([exit, JSON.parse(out).error]).toEqual([
      1,
      {
        code: "not_cleaned_up",
        message:
          "Its runs have ended; bbbb-2 is cancelled and not cleaned up yet. bbbb-2: Its clean-up cannot go on: the worktree is kept: mkdir /data/trash.",
        remedy:
          "Nothing is lost. It is tried again at 03:06 UTC and whenever an engine starts; once the cause is mended, `tazuna cancel bbbb-2` tries at once.",
        details: {
          attempts: ["bbbb-2"],
          kept: [
            {
              id: "bbbb-2",
              worktree: "/data/worktrees/run_1",
              branch: "tazuna/0a1b2c3d",
              why: cleanUp.why,
              tried_at: cleanUp.triedAt,
              again_at: cleanUp.againAt,
            },
          ],
        },
      },
    ]);
    const shown = await world.run("show", "bbbb-2");
    expect(shown.out).toMatch(
      /State +Cancelled, not cleaned up\nWhy +Its clean-up cannot go on: the worktree is kept: mkdir \/data\/trash\.\nRemedy +Nothing is lost\./,
    );
    for (const look of [["show", "task-1"], ["list"]]) {
      const told = await world.run(...look);
      expect(told.out).toContain("Cancelled, not cleaned up");
      expect(told.out).toContain("codex: Its clean-up cannot go on: the worktree is kept: mkdir");
    }
  });

  test("of a task is for all its attempts", async () => {
    await using world = seeded();
    const { ended } = world.start(["cancel", "task-1", "--json"]);
    await waitFor("the cancel", () => world.services.calls.includes("cancel task-1"));
    for (const id of ["aaaa-1", "bbbb-2"]) world.services.changeAttempt(id, { state: "removed" });
    expect(attempts((await ended).out)).toEqual([
      ["aaaa-1", "SUCCEEDED"],
      ["bbbb-2", "CANCELED"],
    ]);
  });
});

describe("queue", () => {
  /** Two runs wait behind the one that works. */
  function waiting(): CliWorld {
    const world = seeded();
    const queued = { status: "PENDING", phase: "queued", attemptId: "cccc-3" } as const;
    world.services.add({
      task: aTask({ id: "task-2" }),
      repository: aRepository(),
      attempts: [
        {
          attempt: anAttempt({ id: "cccc-3", taskId: "task-2" }),
          runs: [
            aRun({ id: "r3-busy", attemptId: "cccc-3", status: "RUNNING", phase: "agent" }),
            aRun({ ...queued, id: "r4-next", number: 2, position: 1, instruction: "Next" }),
            aRun({ ...queued, id: "r5-last", number: 3, position: 2, instruction: "Last", held: true }),
          ],
        },
      ],
    });
    return world;
  }

  const queueOf = (out: string) =>
    JSON.parse(out).queue.map(({ id, instruction }: { id: string; instruction: string }) => [
      id,
      instruction,
    ]);

  test("shows what waits, each with its place", async () => {
    await using world = waiting();
    expect(queueOf((await world.run("queue", "cccc", "--json")).out)).toEqual([
      ["r4-next", "Next"],
      ["r5-last", "Last"],
    ]);
    expect((await world.run("queue", "cccc", "list")).out).toContain("2      r5-last  Held    Last\n");
    expect((await world.run("queue", "aaaa")).out).toBe("Nothing waits in its queue.\n");
    expect(world.services.calls).toEqual([]);
  });

  test("edits, moves and removes a run, and shows the queue after that", async () => {
    await using world = waiting();
    const edited = await world.run("queue", "cccc", "edit", "r4", "Now this", "--json");
    expect([edited.exit, queueOf(edited.out)[0]]).toEqual([0, ["r4-next", "Now this"]]);
    expect((await world.run("queue", "cccc", "move", "r5-l", "1")).exit).toBe(0);
    expect(queueOf((await world.run("queue", "cccc", "remove", "r4", "--json")).out)).toEqual([
      ["r5-last", "Last"],
    ]);
    expect(world.services.calls).toEqual([
      "changeQueued r4-next Now this null",
      "changeQueued r5-last null 1",
      "removeQueued r4-next",
    ]);
  });

  test("refuses words that it cannot mean before it asks the engine to change anything", async () => {
    await using world = waiting();
    const large = "x".repeat(1024 * 1024);
    const cases: readonly (readonly string[])[] = [
      ["edit"],
      ["edit", "r4"],
      ["edit", "r4", "  "],
      ["edit", "r4", large],
      ["edit", "r9", "x"],
      ["edit", "r", "x"],
      ["edit", "r4", "x", "y"],
      ["move", "r4"],
      ...["0", "-1", "1e9", "NaN", "1.5", "12345678901"].map((place) => ["move", "--", "r4", place]),
      ["remove"],
      ["remove", "r4", "x"],
      ["list", "r4"],
      ["drop", "r4"],
    ];
    for (const words of cases)
      expect([words.slice(0, 3), (await world.run("queue", "cccc", ...words)).exit]).toEqual([
        words.slice(0, 3),
        2,
      ]);
    expect((await world.run("queue")).exit).toBe(2);
    const near = await world.run("queue", "cccc", "remve", "r4");
    expect(near.err).toContain('did you mean "remove"?');
    expect(world.services.calls).toEqual([]);
  });
});

describe("wait", () => {
  test("waits for the latest run of each attempt", async () => {
    await using world = seeded();
    const { terminal, ended } = world.start(["wait", "task-1"]);
    await waitFor("the progress", () => terminal.err().includes("codex r2-busy: Running"));
    world.services.change("r2-busy", PUSHED);
    const { exit, out } = await ended;
    expect([exit, out.split("\n").length]).toEqual([0, 9]);
  });

  test("for one run looks at nothing else", async () => {
    await using world = seeded();
    const { exit, out } = await world.run("wait", "r1-done", "--json");
    expect([exit, attempts(out)]).toEqual([0, [["aaaa-1", "SUCCEEDED"]]]);
  });

  test("exits 1 for a run that failed", async () => {
    await using world = seeded();
    world.services.change("r2-busy", { status: "FAILED", phase: null });
    expect((await world.run("wait", "bbbb-2")).exit).toBe(1);
  });
});

describe("demo", () => {
  test("shows two attempts and what to do next", async () => {
    await using world = cliWorld();
    pushEverything(world.services);
    const { exit, out } = await world.run("demo");
    expect(exit).toBe(0);
    expect(out).toContain("Greet people by name");
    expect(out).toContain("tazuna diff a0000100");
    const json = await world.run("demo", "--json");
    expect(attempts(json.out)).toHaveLength(2);
  });
});
