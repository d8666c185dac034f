/** Tells what `tazuna undo` prints. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";

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
