/** Waits in `run --worker` for a machine that clones first: what is said meanwhile, and what Ctrl-C does. */
import { describe, expect, test } from "bun:test";
import { type CliWorld, cliWorld } from "../helpers/cli-world.ts";
import type { FakeTerminalOptions } from "../helpers/fake-terminal.ts";
import { aRepository } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

const ADDRESS = "https://host/us/shop";
const RUN = ["run", "Fix it", "--agent", "codex", "--worker", "ci-2"];
const HERE = aRepository({ address: ADDRESS });
const THERE = { ...HERE, id: "repo-2", path: "/data/2", worker: { id: "w-2", name: "ci-2" } };

/** A `run` for which another machine clones, until `release` is called. */
async function cloning(world: CliWorld, args: readonly string[], options: FakeTerminalOptions = {}) {
  const { services } = world;
  const clone = Promise.withResolvers<void>();
  const { createTask } = services;
  let isAsked = false;
  services.createTask = async (input) => {
    isAsked = true;
    await clone.promise;
    return createTask(input);
  };
  services.world.repositories = [HERE];
  const started = world.start(args, options);
  await waitFor("the task to be asked for", () => isAsked);
  return { ...started, release: clone.resolve };
}

const progress = (world: CliWorld, step: string) =>
  world.services.addFact({ kind: "clone.progress", data: { url: ADDRESS, step, percent: 10 } });

describe("a chosen worker that clones first", () => {
  test("is said to make no progress, once a minute, until it does", async () => {
    await using world = cliWorld();
    let now = 0;
    const ticks = new Set<() => void>();
    const every = (_: number, act: () => void) => {
      ticks.add(act);
      return () => ticks.delete(act);
    };
    const { terminal, ended, release } = await cloning(world, [...RUN, "--detach"], {
      now: () => now,
      every,
    });
    const after = (seconds: number) => {
      now += seconds * 1000;
      for (const tick of ticks) tick();
      return [...terminal.err().matchAll(/no progress for (\d+) min/g)].map(([, minutes]) => minutes);
    };
    expect(after(59)).toEqual([]);
    expect(after(1)).toEqual(["1"]);
    expect(after(59)).toEqual(["1"]);
    expect(after(1)).toEqual(["1", "2"]);
    // Asleep meanwhile: it is said once.
    expect(after(300)).toEqual(["1", "2", "7"]);
    progress(world, "Receiving objects");
    await waitFor("the progress", () => terminal.err().includes("Receiving objects"));
    expect(after(59)).toHaveLength(3);
    expect(after(2)).toEqual(["1", "2", "7", "1"]);
    expect(terminal.err()).toContain(
      "Waits for ci-2 to clone the repository: no progress for 7 min. `tazuna workers` says whether it is there. Ctrl-C twice ends this wait; the clone goes on there.\n",
    );
    release();
    expect((await ended).exit).toBe(0);
    expect([ticks.size, terminal.listeners()]).toEqual([0, 0]);
  });

  test("goes on after Ctrl-C, which says so in a line of its own", async () => {
    await using world = cliWorld();
    const { terminal, ended, release } = await cloning(world, RUN, { stderr: "terminal", columns: 60 });
    progress(world, "Receiving objects");
    await waitFor("the progress", () => terminal.err().includes("10%"));
    terminal.interrupt();
    await waitFor("the words", () => terminal.err().includes("Press Ctrl-C again"));
    expect(terminal.err()).toEndWith(
      "10%\r\u001b[Kci-2 clones the repository first. What it begins then is stopped at once. Press Ctrl-C again to end this wait: ci-2 goes on, and begins the task.\n",
    );
    release();
    expect((await ended).exit).toBe(130);
    expect(world.services.calls.filter((call) => call.startsWith("stop "))).toHaveLength(1);
  });

  test("begins the task after a second Ctrl-C, and nothing is stopped", async () => {
    await using world = cliWorld();
    const { terminal, ended, release } = await cloning(world, [...RUN, "--detach"]);
    terminal.interrupt();
    await waitFor("the words", () => terminal.err().includes("Press Ctrl-C again"));
    expect(terminal.err()).toBe(
      "ci-2 clones the repository, and then begins the task. Press Ctrl-C again to end this wait: ci-2 goes on, and begins the task.\n",
    );
    terminal.interrupt();
    expect(await ended).toMatchObject({
      exit: 130,
      err: expect.stringContaining("`tazuna list` shows what was started."),
    });
    release();
    await waitFor("the task", () => world.services.created.length === 1);
    expect(world.services.calls.filter((call) => call.startsWith("stop "))).toEqual([]);
  });

  test("is followed only if the list knows no clone of it", async () => {
    const follows = async (args: readonly string[], ...repositories: (typeof THERE | typeof HERE)[]) => {
      await using world = cliWorld();
      world.services.world.repositories = repositories;
      await world.run(...args, "--detach");
      return world.services.world.factReads > 0;
    };
    expect(await follows(RUN, HERE, THERE)).toBe(false);
    expect(await follows([...RUN.slice(0, -1), "w-2"], HERE, THERE)).toBe(false);
    expect(await follows(RUN, HERE)).toBe(true);
    expect(await follows([...RUN.slice(0, -1), "ci-3"], HERE, THERE)).toBe(true);
    const away = { ...THERE, putAway: true };
    expect(await follows(RUN, HERE, away)).toBe(true);
    const other = { ...THERE, address: "https://host/us/other" };
    expect(await follows(RUN, HERE, other)).toBe(true);
    expect(await follows(RUN.slice(0, -2), HERE, THERE)).toBe(false);
    // Nobody can clone it.
    expect(await follows(RUN, aRepository())).toBe(false);
  });
});
