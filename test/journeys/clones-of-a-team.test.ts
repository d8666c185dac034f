/** Fills the disk of one machine of a team: its clone goes, and tasks begin where a clone is (ADR 0104). */
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import type { KnownRepository } from "../helpers/clone-world.ts";
import { ask, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { type TeamWorld, teamWorld } from "../helpers/team-world.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { smallDisk, whyNoSmallDisk } from "./crash/small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const TIMING = JSON.stringify({ graceMs: 500, trashKeepMs: 1_000, cloneUnusedMs: 0 });

interface Listed extends KnownRepository {
  readonly put_away: boolean;
  readonly worker: { readonly name: string } | null;
}

async function added({ product, url }: TeamWorld, how: object): Promise<KnownRepository> {
  const end = await product.tazuna(["repo", "add", url, "--json"], how);
  const [clone] = end.json<{ repositories: readonly KnownRepository[] }>().repositories;
  if (clone === undefined) throw new Error(end.stdout + end.stderr);
  return clone;
}

async function clonesSeen({ product }: TeamWorld, how: object): Promise<readonly Listed[]> {
  const end = await product.tazuna(["repo", "list", "--json"], how);
  return end.json<{ repositories: readonly Listed[] }>().repositories.filter(({ url }) => url !== null);
}

journey(
  "a clone that went from a full disk is not missed: another machine with a clone begins the task",
  async () => {
    await using world = await teamWorld();
    const { product } = world;
    const home = world.there.env.TAZUNA_HOME ?? "";
    const there = { ...world.there, env: { ...world.there.env, TAZUNA_TIMING: TIMING } };
    await product.agent("writer", "echo one > one.txt; echo Done.");
    await world.settle();
    for (const how of [{}, there]) await product.tazuna(["engine", "stop"], how);
    await using disk = await smallDisk(home, "64m");
    const [here, other] = [await added(world, {}), await added(world, there)];
    expect(here.id).not.toBe(other.id);
    await disk.fill(2 * 1024 ** 2);
    await waitFor("the clone of the full machine to go", () => !existsSync(other.path));
    expect(existsSync(here.path)).toBe(true);
    const away = async (how: object) =>
      new Map((await clonesSeen(world, how)).map(({ id, put_away }) => [id, put_away]));
    await waitFor("its own machine to say so", async () => (await away(there)).get(other.id) === true);
    expect(await away({})).toEqual(
      new Map([
        [here.id, false],
        [other.id, true],
      ]),
    );

    const run = (...args: readonly string[]) =>
      ask(product, ["run", "Change it", "--agent", "writer", ...args], there);
    const worked = (asked: TaskEnd) =>
      waitFor("it to have worked", async () => {
        const shown = await ask(product, ["show", asked.document.task.id], there);
        return shown.run.status === "SUCCEEDED" ? shown : null;
      });
    // Asked on the full machine, for its own clone.
    const first = await worked(await run("--repo", other.id, "--detach"));
    expect(first.attempt.worktree.startsWith(product.home)).toBe(true);
    expect(existsSync(other.path)).toBe(false);

    await disk.free();
    const [own] = (await clonesSeen(world, {})).flatMap(({ worker }) => worker?.name ?? []);
    const second = await worked(await run("--repo", here.id, "--worker", own ?? "", "--detach"));
    expect(second.attempt.worktree.startsWith(home)).toBe(true);
    expect(existsSync(other.path)).toBe(true);
    expect((await away({})).get(other.id)).toBe(false);
  },
  await whyNoSmallDisk(),
);
