/** Tells what `tazuna undo` and `tazuna restore` print. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";

test("undo says in sentences what it did and what takes it back, and answers JSON with the operation", async () => {
  await using world = cliWorld();
  world.services.world.operations.push({
    id: "undo-12345",
    kind: "undo",
    subject: { type: "run", id: "run-1" },
    before: { of: "move-1", ref: "refs/heads/main", sha: "aaaa" },
    after: { ref: "refs/heads/main", sha: null },
    status: "done",
    undoable: true,
    commands: null,
    actor: null,
    at: "2026-01-02T03:04:05.000Z",
    endedAt: "2026-01-02T03:04:05.000Z",
  });
  expect((await world.run("undo", "move-1")).out).toBe(
    "refs/heads/main is gone again; it was at aaaa.\n`tazuna undo undo-123` takes it back.\n",
  );
  const { operation } = JSON.parse((await world.run("undo", "move-1", "--json")).out);
  expect([operation.id, operation.after.sha, operation.undoable]).toEqual(["undo-12345", null, true]);
  expect([(await world.run("undo", "")).exit, (await world.run("undo", "nothing")).exit]).toEqual([2, 1]);
});

test("restore takes a run, or an attempt for its latest one", async () => {
  await using world = cliWorld();
  world.services.add({
    task: aTask({ id: "task-1" }),
    repository: aRepository(),
    attempts: [
      {
        attempt: anAttempt({ id: "aaaa-1" }),
        runs: [
          aRun({ id: "run-1", attemptId: "aaaa-1" }),
          aRun({ id: "run-2", attemptId: "aaaa-1", number: 2 }),
        ],
      },
    ],
  });
  for (const run of ["run-1", "run-2"])
    world.services.world.operations.push({
      id: `restore-of-${run}`,
      kind: "run_restore",
      subject: { type: "attempt", id: "aaaa-1" },
      before: { tree: "aaaa", run },
      after: { tree: "bbbb" },
      status: "done",
      undoable: true,
      commands: null,
      actor: null,
      at: "2026-01-02T03:04:05.000Z",
      endedAt: "2026-01-02T03:04:05.000Z",
    });
  const shown = await world.run("restore", "run-1");
  expect([shown.exit, shown.out.split("\n")[0]]).toEqual([
    0,
    "The files of the attempt aaaa-1 are what the run run-1 left.",
  ]);
  expect(shown.out).toContain("`tazuna undo restore-` takes it back.");
  const { operation } = JSON.parse((await world.run("restore", "aaaa", "--json")).out);
  expect(operation.before.run).toBe("run-2");
  expect(world.services.calls).toEqual(["restoreRun run-1", "restoreRun run-2"]);
});
