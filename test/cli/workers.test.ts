/** Tells what `workers` prints for each state, and what it asks for. */
import { expect, test } from "bun:test";
import { cliWorld } from "../helpers/cli-world.ts";
import { aWorker } from "../helpers/sample-documents.ts";

const SINCE = { since: "2026-01-02T03:04:05.000Z", stops_at: null, by: null };
const ANN = { kind: "person", id: "p", name: "ann@x.example" } as const;

function team() {
  const world = cliWorld();
  world.services.world.workers = [aWorker({ id: "worker-0", name: "mac-7", here: true }), aWorker()];
  return world;
}

test("the list says who drains, with how many runs, and who is drained", async () => {
  await using world = cliWorld();
  world.services.world.workers = [
    aWorker({ name: "a", here: true, drain: { ...SINCE, runs: 2 } }),
    aWorker({ name: "b", drain: { ...SINCE, runs: 1 } }),
    aWorker({ name: "c", drain: { ...SINCE, runs: 0 } }),
    aWorker({ name: "d", drain: { ...SINCE, runs: 0 }, state: "silent", pinned: 3 }),
    aWorker({ name: "e", state: "stopped" }),
    aWorker({ name: "f", drain: { ...SINCE, by: ANN, runs: 0 } }),
  ];
  const { out } = await world.run("workers");
  expect(out.split("\n").map((line) => line.slice(0, 31).trim())).toEqual([
    "NAME  STATE",
    "a *   draining, 2 runs",
    "b     draining, 1 run",
    "c     drained",
    "d     silent, drained, 3 pinned",
    "e     stopped, 1 pinned",
    "f     drained, by ann@x.example",
    "* this one",
    "",
  ]);
  expect((await world.run("workers", "list")).out).toBe(out);
});

test("drain says what goes on and how to take it back, and resume takes it back", async () => {
  await using world = team();
  const drained = await world.run("workers", "drain", "ci-2");
  expect([drained.exit, drained.out]).toEqual([
    0,
    "ci-2 begins nothing more; 2 runs go on.\n`tazuna workers resume ci-2` takes it back.\n",
  ]);
  const limited = await world.run("workers", "drain", "worker-1", "--within", "30m");
  expect(limited.out).toContain("What goes on at 2026-01-02T04:04:05.000Z is stopped.");
  expect(world.services.calls).toEqual([
    "drainWorker ci-2 null resume",
    "drainWorker worker-1 1800000 resume",
  ]);
  expect((await world.run("workers", "resume", "ci-2")).out).toBe("ci-2 begins runs.\n");
  const json = await world.run("workers", "drain", "ci-2", "--json");
  expect(JSON.parse(json.out).drain).toEqual({ ...SINCE, runs: 2 });
});

test("a time limit is a number with its unit, of at most seven days", async () => {
  await using world = team();
  for (const [text, ms] of [
    ["90s", 90_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
  ] as const) {
    expect((await world.run("workers", "drain", "ci-2", "--within", text)).exit).toBe(0);
    expect(world.services.calls.at(-1)).toBe(`drainWorker ci-2 ${ms} resume`);
  }
  const asked = world.services.calls.length;
  for (const text of ["soon", "30", "0m", "8d", "-5m", "1.5h", "30 m", "m", "999999d"]) {
    const { exit, err } = await world.run("workers", "drain", "ci-2", "--within", text);
    expect([text, exit, err]).toEqual([text, 2, expect.stringContaining("90s, 30m, 2h or 1d")]);
  }
  expect(world.services.calls.length).toBe(asked);
});

test("remove says what it would do, and does it with --yes", async () => {
  await using world = team();
  const asked = await world.run("workers", "remove", "ci-2");
  expect([asked.exit, asked.out]).toEqual([
    1,
    [
      "This would remove ci-2. Its files stay on its machine, and its open runs end.",
      "1 open attempt can go on in a clone here, from what was pushed.",
      "Nothing was removed: `tazuna workers remove ci-2 --yes` does it.",
      "",
    ].join("\n"),
  ]);
  expect(world.services.world.workers.length).toBe(2);
  const removed = await world.run("workers", "remove", "ci-2", "--yes");
  expect([removed.exit, removed.out]).toEqual([0, expect.stringContaining("ci-2 is removed.")]);
  expect(world.services.world.workers.map(({ name }) => name)).toEqual(["mac-7"]);
  for (const yes of [[], ["--yes"]]) {
    const { exit, out, err } = await world.run("workers", "remove", "ci-2", ...yes);
    expect([exit, `${out}${err}`]).toEqual([1, expect.stringContaining('"ci-2"')]);
  }
});

test("what does not belong together is refused before anything is asked", async () => {
  await using world = team();
  for (const words of [
    ["drain"],
    ["resume", " "],
    ["remove", "--yes"],
    ["resume", "ci-2", "--within", "1m"],
    ["drain", "ci-2", "--yes"],
    ["--yes"],
    ["forget", "ci-2"],
  ])
    expect([words, (await world.run("workers", ...words)).exit]).toEqual([words, 2]);
  expect(world.connections).toEqual([]);
});
