/** Works from two machines on one repository: the limits that both share count what works on both. */
import { expect, setDefaultTimeout } from "bun:test";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { teamWorld } from "../helpers/team-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** A shared limit of one; what waits for it on the other machine begins as soon as there is room. */
async function waitsForRoom(
  limits: Readonly<Record<string, number>>,
  agent: Readonly<Record<string, string>>,
  reason: string,
): Promise<void> {
  await using world = await teamWorld();
  const { product, there } = world;
  await using door = gate(product, "room");
  await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`, agent);
  await product.agent("writer", "echo two > two.txt; echo Done.", agent);
  await world.settle([8, 8], limits);
  const workers = (await product.tazuna(["workers", "--json"], there)).json<{
    workers: readonly { readonly name: string; readonly here: boolean }[];
  }>().workers;
  const run = (how: object, ...args: readonly string[]) =>
    ask(product, ["run", "Change it", "--detach", ...args], how);
  await run({}, "--agent", "slow");
  await door.reached();
  const name = workers.find(({ here }) => here)?.name ?? "";
  const waits = await run(there, "--agent", "writer", "--worker", name);
  const state = async () => (await ask(product, ["show", waits.document.task.id], there)).run;
  await waitFor("the reason to be told", async () => (await state()).waits_for?.reason === reason);
  expect((await state()).status).toBe("PENDING");
  await door.open();
  await waitFor("it to have worked", async () => (await state()).status === "SUCCEEDED", {
    withinMs: 100_000,
  });
}

journey("the limit of a repository counts the work on all clones of its address", () =>
  waitsForRoom({ per_repository: 1 }, {}, "per_repository"),
);

journey("a login that is named is one on all machines, and counts the work of all", () =>
  waitsForRoom({ per_login: 1 }, { login: "team" }, "per_login"),
);
