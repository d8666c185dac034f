/** Tells what the commands of the trash print, and what they ask for. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";

const ENTRY = {
  id: "entry-123456",
  attemptId: "attempt-1",
  path: "/data/trash/attempt-1",
  snapshot: "refs/tazuna/snapshots/attempt-1/1",
  bytes: 2_500_000,
  deletedAt: "2026-01-02T03:04:05.000Z",
  purgeAt: "2026-01-16T03:04:05.000Z",
  snapshotStays: true,
};

test("trash and trash list show a line per entry, and say if there is none", async () => {
  await using world = cliWorld();
  expect((await world.run("trash")).out).toBe("The trash is empty.\n");
  world.services.world.trash = [ENTRY, { ...ENTRY, bytes: null }];
  expect((await world.run("trash", "list")).out).toBe(
    [
      "ENTRY     ATTEMPT   SIZE     DELETED                   PATH",
      "entry-12  attempt-  2.4 MiB  2026-01-02T03:04:05.000Z  /data/trash/attempt-1",
      "entry-12  attempt-  -        2026-01-02T03:04:05.000Z  /data/trash/attempt-1",
      "",
    ].join("\n"),
  );
  expect(JSON.parse((await world.run("trash", "list", "--json")).out).entries[0]).toEqual({
    id: "entry-123456",
    attempt: "attempt-1",
    path: "/data/trash/attempt-1",
    snapshot: "refs/tazuna/snapshots/attempt-1/1",
    bytes: 2_500_000,
    deleted_at: "2026-01-02T03:04:05.000Z",
    purge_at: "2026-01-16T03:04:05.000Z",
    snapshot_stays: true,
  });
});

test("trash restore says where it is, and wants an id", async () => {
  await using world = cliWorld();
  expect(await world.run("trash", "restore", "e1")).toEqual({
    exit: 0,
    out: "Brought back to /data/worktrees/e1\n",
    err: "",
  });
  expect(JSON.parse((await world.run("trash", "restore", "e1", "--json")).out)).toEqual({
    entry: "e1",
    path: "/data/worktrees/e1",
  });
  expect([
    (await world.run("trash", "restore", " ")).exit,
    (await world.run("trash", "restore")).exit,
  ]).toEqual([2, 2]);
});

test("trash empty is a dry run without --yes, and names what is kept and why", async () => {
  await using world = cliWorld();
  world.services.world.emptied = {
    removed: [{ id: "gone-1", bytes: 12 }],
    kept: [{ id: "kept-1", reason: "There is no snapshot of it." }],
  };
  const dry = await world.run("trash", "empty");
  expect(dry.out).toBe(
    [
      "ENTRY   WHAT",
      "gone-1  would go  12 B",
      "kept-1  kept      There is no snapshot of it.",
      "",
      "Would delete 1 (12 B), kept 1. Nothing was deleted: `tazuna trash empty --yes` does it.",
      "",
    ].join("\n"),
  );
  expect((await world.run("trash", "empty", "--yes")).out).toEndWith("\nDeleted 1 (12 B), kept 1.\n");
  expect(world.services.calls).toEqual(["emptyTrash false", "emptyTrash true"]);
});
