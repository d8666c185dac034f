/** Tells what `tazuna clean` prints, what it asks for, and how it exits. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";

const GONE = {
  id: "gone-123456",
  what: "The worktree on tazuna/1",
  whose: "attempt gone-123 of fast",
  path: "/data/worktrees/run_1",
  bytes: 2_500_000,
  why: "It is finished.",
};
const KEPT = {
  id: "worktrees:foreign",
  what: "A folder that no attempt owns.",
  whose: null,
  path: "/data/worktrees/foreign",
  bytes: null,
  reason: "It is kept:\u001b[31m nothing proves whose it is.",
  remedy: "Look at what is in it.",
};

test("clean is a dry run without --yes: what, whose, how much, why, and the remedy", async () => {
  await using world = cliWorld();
  expect((await world.run("clean")).out).toBe("There is nothing to clean up.\n");
  world.services.world.cleaned = { removed: [GONE], kept: [KEPT] };
  const dry = await world.run("clean");
  expect([dry.exit, dry.out]).toEqual([
    0,
    [
      "Would be put away",
      "  It is finished.",
      "    The worktree on tazuna/1 (attempt gone-123 of fast, 2.4 MiB)",
      "",
      "Kept",
      "  It is kept: nothing proves whose it is.",
      "    A folder that no attempt owns.",
      "    -> Look at what is in it.",
      "",
      "Would remove 1 (2.4 MiB), kept 1. Nothing was changed: `tazuna clean --yes` does it.",
      "",
    ].join("\n"),
  ]);
  expect((await world.run("clean", "--yes")).out).toContain("Put away\n");
  expect(JSON.parse((await world.run("clean", "--json")).out)).toEqual({ removed: [GONE], kept: [KEPT] });
  expect(world.services.calls).toEqual([
    "clean null false",
    "clean null false",
    "clean null true",
    "clean null false",
  ]);
});

test("what was named and stays was not done: exit 1; an empty id is bad usage", async () => {
  await using world = cliWorld();
  world.services.world.cleaned = { removed: [], kept: [KEPT] };
  const exits = [];
  for (const args of [["abc"], ["abc", "--yes"], ["--yes"], [" "]])
    exits.push((await world.run("clean", ...args)).exit);
  expect(exits).toEqual([0, 1, 0, 2]);
  expect(world.services.calls).toEqual(["clean abc false", "clean abc true", "clean null true"]);
});
