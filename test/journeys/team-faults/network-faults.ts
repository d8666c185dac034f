/** Lists what happens to the network between the machines of a team, and how each run that it meets may end. */
import { waitFor } from "../../helpers/wait-for.ts";
import { type Fault, WITHOUT_SESSION } from "./faults.ts";
import { rowsOf } from "./left-behind.ts";
import { agentIsStopped } from "./plays.ts";
import { openStates, PATIENT } from "./states.ts";
import type { FaultWorld } from "./world.ts";

export interface NetworkFault extends Fault {
  /** The length of the leases; that of all other faults unless told. */
  readonly leaseMs?: number;
}

const AWAY_MS = 20_000;
/** Agents are stopped after three quarters of it, so 20 s and an answer that is waited for in vain are no trouble. */
const LONG_LEASE_MS = 72_000;

export const NETWORK_FAULTS: readonly NetworkFault[] = [
  {
    name: "the cable of a worker is pulled for 20 seconds",
    leaseMs: LONG_LEASE_MS,
    play: (world) => {
      const { here } = world.machines();
      return staying(world, async () => {
        here.pull();
        await over(AWAY_MS).finally(() => here.plug());
      });
    },
  },
  {
    name: "the cable of a worker is pulled beyond the lease, and plugged again",
    play: async ({ machines, taken }) => {
      machines().here.pull();
      await taken("working").finally(() => machines().here.plug());
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "a machine loses its power without a word, and comes back once its runs are taken",
    play: async ({ machines, taken }) => {
      const { here } = machines();
      await here.losePower();
      await taken("working").finally(() => here.plug());
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "what a worker sends to the database is lost beyond the lease",
    play: async ({ machines, taken }) => {
      const { here, database } = machines();
      here.lose(database);
      await taken("working").finally(() => here.find(database));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "what the database sends to a worker is lost beyond the lease",
    play: async ({ machines, taken }) => {
      const { here, database } = machines();
      database.lose(here);
      await taken("working").finally(() => database.find(here));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the cable of the database is pulled beyond the lease",
    play: async ({ machines, idOf }) => {
      machines().database.pull();
      await agentIsStopped(idOf("working")).finally(() => machines().database.plug());
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "a worker does not reach the depot while its runs end",
    leaseMs: LONG_LEASE_MS,
    play: (world) => {
      const { here, there } = world.machines();
      return staying(world, async () => {
        here.lose(there);
        await openStates(world.product);
        await ended(world, "checking").finally(() => here.find(there));
      });
    },
  },
  {
    name: "a worker does not reach the origin for 20 seconds while its runs push",
    leaseMs: LONG_LEASE_MS,
    play: (world) => {
      const { here, forge } = world.machines();
      return staying(world, async () => {
        here.lose(forge);
        await openStates(world.product);
        await over(AWAY_MS).finally(() => here.find(forge));
      });
    },
  },
];

function over(ms: number): Promise<unknown> {
  const end = performance.now() + ms;
  return waitFor("the time to be over", () => performance.now() > end);
}

function ended({ postgres, idOf }: FaultWorld, state: "checking"): Promise<unknown> {
  const status = async () =>
    (await rowsOf(postgres.url, "select status from runs where id = $1", [idOf(state)]))[0]?.status;
  return waitFor(`the run ${state} to end`, async () => (await status()) === "SUCCEEDED", PATIENT);
}

/** No attempt that has begun goes elsewhere meanwhile. */
async function staying({ postgres, held }: FaultWorld, play: () => Promise<void>): Promise<void> {
  const ids = held.map(({ begun }) => begun.attempt.id);
  const homes = async (): Promise<ReadonlyMap<string, unknown>> => {
    const sql = "select id, worker_id from attempts where id = any($1) and worker_id is not null";
    return new Map((await rowsOf(postgres.url, sql, [ids])).map((row) => [String(row.id), row.worker_id]));
  };
  const before = await homes();
  await play();
  const after = await homes();
  for (const [id, worker] of before)
    if (after.get(id) !== worker) throw new Error(`the attempt ${id} went to another worker`);
}
