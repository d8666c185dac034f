/** Two workers on one Postgres with a depot: one that can be lost, and another one that can take its runs. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { depotWorld } from "./depot-world.ts";
import { ask, type TaskEnd } from "./journey.ts";
import type { Product } from "./product.ts";
import { kill } from "./stop-everything.ts";
import { waitFor } from "./wait-for.ts";

/** A renewal may be late on a busy machine. */
const LEASE_MS = 24_000;

/** The product's own worker, and another one that serves the depot; both have the agent `writer`, and a clone if `isCloned`. */
export async function movingWorld(
  agent: (product: Product) => string,
  serverEnv: Readonly<Record<string, string>> = {},
  { isCloned = true }: { readonly isCloned?: boolean } = {},
) {
  const world = await depotWorld({ leaseMs: LEASE_MS });
  const { product } = world;
  const place = dirname(product.home);
  const env = { TAZUNA_HOME: join(place, "other home") };
  const there = { env, cwd: isCloned ? join(place, "other clone") : place };
  const url = await product.sandbox.git(product.repository, ["remote", "get-url", "origin"]);
  if (isCloned) await product.sandbox.git(place, ["clone", "--quiet", url, there.cwd]);
  await product.agent("writer", agent(product));
  await mkdir(there.env.TAZUNA_HOME, { mode: 0o700 });
  await cp(join(product.home, "config.json"), join(there.env.TAZUNA_HOME, "config.json"));
  const server = await world.serve(["--depot", world.folder], { ...there.env, ...serverEnv });
  for (const how of isCloned ? [{}, there] : [{}]) {
    const { code, stderr } = await product.tazuna(["repo", "add", "."], how);
    if (code !== 0) throw new Error(stderr);
  }
  /** What a machine does that loses its power. */
  const lose = async (run: string) => {
    await product.killEngine();
    await killAll(run);
  };
  const show = async ({ document, attempt }: TaskEnd) => {
    const { attempts } = await ask(product, ["show", document.task.id], there);
    return attempts.find(({ id }) => id === attempt.id) ?? attempt;
  };
  const runOf = async (begun: TaskEnd) => (await show(begun)).runs.at(-1) ?? begun.run;
  const ended = (begun: TaskEnd) =>
    waitFor(
      "the run to end elsewhere",
      async () => {
        const run = await runOf(begun);
        return ["SUCCEEDED", "FAILED", "CANCELED"].includes(run.status) ? run : null;
      },
      { withinMs: 240_000 },
    );
  return {
    ...{ ...world, ended, there, server, lose, show, runOf },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Keeper, agent, and what they started. */
export async function killAll(run: string): Promise<void> {
  await waitFor("the agent to be gone", async () => {
    const pids = await findMarked({ name: "TAZUNA_RUN", value: run });
    for (const pid of pids) kill(pid);
    return pids.length === 0;
  });
}
