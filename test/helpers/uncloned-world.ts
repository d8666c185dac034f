/** A team with one slot at the machine that is asked, and another machine that has slots and agents, and no clone. */
import { Client } from "pg";
import { ask, gate, noteCodes, type TaskEnd } from "./journey.ts";
import type { Product, RunOptions } from "./product.ts";
import { type TeamWorld, teamWorld } from "./team-world.ts";
import { waitFor } from "./wait-for.ts";

export const LONG = { withinMs: 120_000 };
export const PASSWORD = { user: "x-access-token", password: "of-the-other-machine" };

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly url: string | null;
  readonly worker: object | null;
}

/** The clones that the asked machine made. */
export async function clonesOf(product: Product, how: RunOptions): Promise<readonly Listed[]> {
  const end = await product.tazuna(["repo", "list", "--json"], how);
  const { repositories } = end.json<{ repositories: readonly Listed[] }>();
  return repositories.filter(({ worker, url }) => worker === null && url !== null);
}

export async function clonesBegun(database: string): Promise<number> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query("select count(*)::int as count from operations where kind = 'clone'");
  await client.end();
  return rows[0].count;
}

/** One slot here; the other machine has slots and agents, and no clone. */
export async function uncloned(slots: number, timing: Readonly<Record<string, number>> = {}) {
  const world = await teamWorld(timing);
  const { product } = world;
  const door = gate(product, "busy");
  await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
  await product.agent("writer", "echo two > two.txt; echo Done.");
  const there = await world.settleUncloned([1, slots]);
  await waitFor("the agents to be told of", async () => (await other(world)).agents.includes("writer"), LONG);
  const run = (...args: readonly string[]) =>
    ask(product, ["run", "Change it", "--detach", ...args, "--agent", "writer"]);
  const shown = ({ document }: TaskEnd) => ask(product, ["show", document.task.id], there);
  const worked = async (asked: TaskEnd) => {
    await waitFor("it to have worked", async () => (await shown(asked)).run.status === "SUCCEEDED", LONG);
    return shown(asked);
  };
  const fill = async () => {
    await ask(product, ["run", "Wait", "--detach", "--agent", "slow"]);
    await door.reached();
  };
  return {
    ...{ ...world, there, door, fill, run, shown, worked },
    [Symbol.asyncDispose]: async () => {
      await door[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

interface OtherMachine {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly agents: readonly string[];
}

const NOBODY: OtherMachine = { id: "", name: "", state: "", agents: [] };

/** The machine without a clone. */
export async function other({ product }: Pick<TeamWorld, "product">) {
  const end = await product.tazuna(["workers", "--json"]);
  const { workers } = end.json<{ workers: readonly (OtherMachine & { here: boolean })[] }>();
  return workers.find(({ here }) => !here) ?? NOBODY;
}

/** It waits here, since the other machine is not let in by the server. */
export async function refusedThere(timing: Readonly<Record<string, number>>) {
  const team = await uncloned(8, timing);
  const { server } = team;
  await team.fill();
  server.behave({ password: PASSWORD });
  const waits = await team.run();
  await waitFor(
    "the refusal",
    async () => noteCodes((await team.shown(waits)).run).includes("not_taken"),
    LONG,
  );
  return { ...team, waits };
}
