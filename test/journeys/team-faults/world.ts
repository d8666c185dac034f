/** Runs two workers on one Postgres, of which one serves a depot, with a run of the other one at each state. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { depotWorld } from "../../helpers/depot-world.ts";
import { killAll } from "../../helpers/moving-world.ts";
import type { StartedCommand } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { judge } from "./judge.ts";
import { copiesOf, gatherLeftBehind, rowsOf } from "./left-behind.ts";
import { readFacts } from "./readers.ts";
import { beginStates, type HeldRun, holdStates, openStates } from "./states.ts";

const LEASE_MS = 24_000;
/** A busy machine may need it. */
export const PATIENT = { withinMs: 240_000 };

export type FaultWorld = Awaited<ReturnType<typeof faultWorld>>;

/** All runs stand at their states, and the depot has what they had edited. */
export async function faultWorld() {
  const world = await depotWorld({ leaseMs: LEASE_MS }, { overLine: true });
  const { product } = world;
  const place = dirname(product.home);
  const there = {
    env: { TAZUNA_HOME: join(place, "other home"), TAZUNA_DATABASE: world.postgres.url },
    cwd: join(place, "other clone"),
  };
  const url = await product.sandbox.git(product.repository, ["remote", "get-url", "origin"]);
  await product.sandbox.git(place, ["clone", "--quiet", url, there.cwd]);
  await holdStates(product);
  await mkdir(there.env.TAZUNA_HOME, { mode: 0o700 });
  await cp(join(product.home, "config.json"), join(there.env.TAZUNA_HOME, "config.json"));
  const serve = () => world.serve(["--depot", world.folder], there.env);
  const servers: StartedCommand[] = [await serve()];
  for (const how of [{}, there]) {
    const { code, stderr } = await product.tazuna(["repo", "add", "."], how);
    if (code !== 0) throw new Error(stderr);
  }
  const held = await beginStates(product);
  const copied = await copiesOf(world, held);
  const readers = [readFacts("here", product.home), readFacts("there", there.env.TAZUNA_HOME)];
  const killServer = async () => {
    servers.at(-1)?.kill("SIGKILL");
    await servers.at(-1)?.end;
  };
  const ids = held.map(({ begun }) => begun.run.id);
  return {
    ...{ ...world, there, held, ids, killServer },
    serveAgain: async () => void servers.push(await serve()),
    /** What a machine does that loses its power. */
    losePower: async () => {
      await product.killEngine();
      for (const id of ids) await killAll(id);
    },
    /** Waits until somebody else holds the run of this state. */
    taken: async (state: HeldRun["state"]) => {
      const run = held.find((each) => each.state === state)?.begun.run.id ?? "";
      const sql = "select lease_epoch from runs where id = $1 and lease_owner is not null";
      const epoch = async () => (await rowsOf(world.postgres.url, sql, [run]))[0]?.lease_epoch;
      const before = await epoch();
      await waitFor("another worker to take it", async () => (await epoch()) !== before, PATIENT);
    },
    /** Lets all runs end, and answers with what is wrong. */
    wrongInTheEnd: async (expected: (state: HeldRun["state"]) => readonly string[]) => {
      await openStates(product);
      await product.tazuna(["list"]);
      const seen = await gatherLeftBehind({ product, there, url: world.postgres.url, held, expected });
      const last = seen.facts.at(-1)?.seq ?? 0;
      for (const { name, seen: read } of readers)
        await waitFor(`the reader ${name} to have all`, () => (read.at(-1) ?? 0) >= last, PATIENT);
      const read = Object.fromEntries(
        readers.map(({ name, seen: seqs }) => [name, seqs.filter((seq) => seq <= last)]),
      );
      return judge({ ...seen, copied, readers: read });
    },
    [Symbol.asyncDispose]: async () => {
      await openStates(product);
      for (const reader of readers) await reader.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
