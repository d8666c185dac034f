import { describe, expect, test } from "bun:test";
import { err } from "neverthrow";
import { type CliWorld, cliWorld, pushEverything } from "../helpers/cli-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

const SCRIPTS = [
  { hash: "h1", text: "setup: bun install\u001b[2J", trusted: false },
  { hash: "h2", text: "check test: bun test", trusted: true },
];

/** A repository of which one script was not trusted yet: the server refuses to run until it is. */
function untrusted(): CliWorld {
  const world = cliWorld();
  const { services } = world;
  services.world.scripts = SCRIPTS.map((script) => ({ ...script }));
  pushEverything(services);
  const { createTask } = services;
  services.createTask = async (input) => {
    const open = services.world.scripts.filter((script) => !script.trusted);
    if (open.length === 0) return createTask(input);
    return err({
      kind: "needs_person",
      code: "scripts_not_trusted",
      message: "1 script of this repository would run and you have not trusted it yet.",
      remedy: "Read it with `tazuna trust`, then trust it there or with `--trust`.",
      details: { scripts: open },
    });
  };
  return world;
}

const trusts = (world: CliWorld) => world.services.calls.filter((call) => call.startsWith("trust "));
const RUN = ["run", "x", "--agent", "demo"];

describe("running scripts that are not trusted", () => {
  test("without a terminal exits 3 and runs nothing", async () => {
    await using world = untrusted();
    expect(await world.run(...RUN)).toEqual({
      exit: 3,
      out: "",
      err: "tazuna: 1 script of this repository would run and you have not trusted it yet. Read it with `tazuna trust`, then trust it there or with `--trust`.\n",
    });
    const json = await world.run(...RUN, "--json");
    expect([json.exit, JSON.parse(json.out).error.code]).toEqual([3, "scripts_not_trusted"]);
    expect([world.services.created, trusts(world)]).toEqual([[], []]);
  });

  test("--trust trusts what is there, and runs", async () => {
    await using world = untrusted();
    expect((await world.run(...RUN, "--trust")).exit).toBe(0);
    expect(trusts(world)).toEqual(["trust /home/me/shop h1"]);
    expect(world.services.created).toHaveLength(1);
  });

  test("on a terminal shows the text and asks: yes runs", async () => {
    await using world = untrusted();
    const { terminal, ended } = world.start(RUN, { asks: true });
    await waitFor("the question", () => terminal.err().includes("Trust these scripts?"));
    expect(terminal.err()).toStartWith("This repository would run:\n\n    setup: bun install\n");
    terminal.type("y");
    expect((await ended).exit).toBe(0);
    expect(trusts(world)).toEqual(["trust /home/me/shop h1"]);
  });

  test.each([
    ["no", "n", 3],
    ["only Enter", "\r", 3],
    ["Ctrl-C", "\u0003", 130],
  ])("%s runs nothing", async (_, keys, code) => {
    await using world = untrusted();
    const { terminal, ended } = world.start(RUN, { asks: true });
    await waitFor("the question", () => terminal.err().includes("Trust these scripts?"));
    terminal.type(keys);
    expect((await ended).exit).toBe(code as 3);
    expect([world.services.created, trusts(world)]).toEqual([[], []]);
  });
});

describe("tazuna trust", () => {
  test("without a terminal shows the scripts, trusts nothing, exits 3", async () => {
    await using world = untrusted();
    const { exit, out } = await world.run("trust");
    expect([exit, out]).toEqual([
      3,
      "Trusted:\n    check test: bun test\nNot trusted:\n    setup: bun install\nTo trust them: `tazuna trust --yes`.\n",
    ]);
    expect(JSON.parse((await world.run("trust", "--json")).out)).toEqual({ scripts: SCRIPTS });
    expect(trusts(world)).toEqual([]);
  });

  test("--yes trusts exactly what was shown", async () => {
    await using world = untrusted();
    const { exit, out } = await world.run("trust", "--yes", "--json");
    expect([exit, JSON.parse(out)]).toEqual([
      0,
      { scripts: SCRIPTS.map((script) => ({ ...script, trusted: true })) },
    ]);
    expect(trusts(world)).toEqual(["trust /home/me/shop h1"]);
    expect((await world.run("trust")).exit).toBe(0);
  });

  test("on a terminal asks", async () => {
    await using world = untrusted();
    const { terminal, ended } = world.start(["trust"], { asks: true });
    await waitFor("the question", () => terminal.err().includes("Trust these scripts?"));
    terminal.type("y");
    expect((await ended).exit).toBe(0);
    expect(trusts(world)).toHaveLength(1);
  });

  test("says if there is nothing to trust", async () => {
    await using world = cliWorld();
    expect(await world.run("trust")).toEqual({
      exit: 0,
      out: "This repository has no scripts of its own to trust.\n",
      err: "",
    });
  });
});

test("who trusted each script is said as soon as that was not the owner alone", async () => {
  await using world = cliWorld();
  const owner = { kind: "owner", id: null, name: null } as const;
  const ann = { kind: "person", id: "p", name: "ann@x.example\u001b[2J" } as const;
  const [first, second] = SCRIPTS.map((script) => ({ ...script, trusted: true }));
  if (first === undefined || second === undefined) throw new Error("two scripts are needed");
  world.services.world.scripts = [{ ...first, by: owner }, second];
  expect((await world.run("trust")).out).toBe("Trusted:\n    setup: bun install\n    check test: bun test\n");
  world.services.world.scripts = [
    { ...first, by: owner },
    { ...second, by: ann },
  ];
  expect((await world.run("trust")).out).toBe(
    "Trusted:\n    setup: bun install\n      trusted by owner\n    check test: bun test\n      trusted by ann@x.example\n",
  );
});
