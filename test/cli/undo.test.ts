/** Tells what `tazuna undo` and `tazuna restore` print. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";

test("undo shows every value before and after, and answers JSON with the operation", async () => {
  await using world = cliWorld();
  world.services.world.operations.push({
    id: "undo-12345",
    kind: "undo",
    subject: { type: "run", id: "run-1" },
    before: { of: "move-1", ref: "refs/heads/main", sha: "aaaa" },
    after: { ref: "refs/heads/main", sha: null },
    status: "done",
    undoable: true,
    at: "2026-01-02T03:04:05.000Z",
    endedAt: "2026-01-02T03:04:05.000Z",
  });
  expect((await world.run("undo", "move-1")).out).toBe(
    [
      "undo undo-123",
      "     BEFORE           AFTER",
      "of   move-1",
      "ref  refs/heads/main",
      "sha  aaaa             null",
      "",
    ].join("\n"),
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
      at: "2026-01-02T03:04:05.000Z",
      endedAt: "2026-01-02T03:04:05.000Z",
    });
  const shown = await world.run("restore", "run-1");
  expect([shown.exit, shown.out.split("\n")[0]]).toEqual([0, "run_restore restore-"]);
  expect(shown.out).toContain("tree  aaaa    bbbb");
  const { operation } = JSON.parse((await world.run("restore", "aaaa", "--json")).out);
  expect(operation.before.run).toBe("run-2");
  expect(world.services.calls).toEqual(["restoreRun run-1", "restoreRun run-2"]);
});
