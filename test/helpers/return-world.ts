/** A machine that was lost and comes back: two workers, a run that moved, and what is offered then (ADR 0097). */
import { expect } from "bun:test";
import { ask, ending, gate, type TaskEnd } from "./journey.ts";
import { movingWorld } from "./moving-world.ts";
import { waitFor } from "./wait-for.ts";

type World = Awaited<ReturnType<typeof movingWorld>>;

/** Its agent writes `one.txt` on the machine that is lost, and `two.txt` on the other one. */
export function returnWorld(serverEnv: Readonly<Record<string, string>> = {}): Promise<World> {
  return movingWorld(
    (product) =>
      `if [ -e one.txt ]; then echo two > two.txt; else echo one > one.txt; ${gate(product, "first").wait}; fi`,
    serverEnv,
  );
}

/** A run whose worker is lost once the depot has `one.txt`, and that ends elsewhere with `two.txt`. */
export async function movedRun(team: World): Promise<TaskEnd> {
  const { product } = team;
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await gate(product, "first").reached();
  await team.holds(begun.attempt.id, { "one.txt": "one" });
  await team.lose(begun.run.id);
  expect(ending(await team.ended(begun))).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  return begun;
}

/** The worker that was lost starts again, and what it offers is ready. */
export async function comesBack(team: World, begun: TaskEnd) {
  await team.product.tazuna(["list"]);
  return waitFor(
    "what came back to be offered",
    async () => (await team.show(begun)).came_back?.find(({ ready }) => ready) ?? null,
    { withinMs: 120_000 },
  );
}
