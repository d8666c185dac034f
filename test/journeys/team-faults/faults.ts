/** Lists what happens to a team, and how each run that it meets may end. */
import type { WorkerDocument } from "../../../src/contract/endpoints/engine.ts";
import { show } from "../../helpers/asking-agent.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { processesOfRun } from "../crash/processes.ts";
import { type HeldState, openStates, PATIENT } from "./states.ts";
import type { FaultWorld, Needs } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** What the first worker has of its own for it. */
  readonly needs?: Needs;
  /** Makes it happen, and ends it. The gates are opened after that. */
  readonly play: (world: FaultWorld) => Promise<unknown>;
  /** Of the states whose runs may end otherwise than pushed. */
  readonly endings?: Partial<Record<HeldState, readonly string[]>>;
}

/** An agent without a session that was stopped cannot go on at its own worker. */
export const WITHOUT_SESSION = { working: ["pushed", "interrupted: fenced"] } as const;

export const FAULTS: readonly Fault[] = [
  {
    name: "the engine is killed and started again",
    play: async ({ product }) => {
      await product.killEngine();
      await product.tazuna(["list"]);
    },
    // The start waits up to 15 s for a git that was left, here a push. Meanwhile this short lease may end.
    endings: WITHOUT_SESSION,
  },
  {
    name: "the machine loses its power, and another one takes its runs",
    play: async ({ losePower, taken }) => {
      await losePower();
      await taken("working");
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the engine is held beyond its lease, and wakes",
    play: async ({ product, taken }) => {
      const pid = (await product.enginePid()) ?? 0;
      process.kill(pid, "SIGSTOP");
      await taken("working").finally(() => process.kill(pid, "SIGCONT"));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the connections to the database are dropped without a word",
    play: async ({ line }) => line.drop(),
  },
  {
    name: "the line to the database is down beyond the lease",
    play: async ({ line, taken }) => {
      line.cut("all");
      await taken("working").finally(() => line.cut(null));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "what the database answers is lost beyond the lease",
    play: async ({ line, taken }) => {
      line.cut("answers");
      await taken("working").finally(() => line.cut(null));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the database crashes and is started again",
    play: async ({ postgres }) => {
      await postgres.crash();
      await postgres.start();
    },
  },
  {
    name: "the database is away longer than the lease",
    play: async ({ postgres, idOf }) => {
      await postgres.stop();
      await agentIsStopped(idOf("working"));
      await postgres.start();
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the engine is killed for good, and its agents live on without it",
    play: async ({ product, taken, idOf }) => {
      await product.killEngine();
      await taken("working");
      await agentIsStopped(idOf("working"));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "two others want the runs of a machine that loses its power",
    play: async ({ joinThird, losePower, taken }) => {
      await joinThird();
      await losePower();
      await taken("working");
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "both machines lose their power, and only that with the depot comes back",
    play: async ({ losePower, killServer, serveAgain, taken }) => {
      await losePower();
      await killServer();
      await serveAgain();
      await taken("working");
    },
    endings: WITHOUT_SESSION,
  },
  { name: "the clock goes ten minutes ahead", needs: "clock", play: (world) => moveClock(world, "+10m") },
  { name: "the clock goes ten minutes back", needs: "clock", play: (world) => moveClock(world, "-10m") },
  {
    name: "the disk of the worker is full beyond the lease",
    needs: "disk",
    play: async ({ disk, beyondLease }) => {
      await disk?.fill();
      await beyondLease("checking").finally(() => disk?.free());
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "the server with the depot is killed and started again",
    play: async ({ killServer, serveAgain }) => {
      await killServer();
      await serveAgain();
    },
  },
];

export function agentIsStopped(run: string): Promise<unknown> {
  return waitFor("the agent to be stopped", () => processesOfRun(run).length === 0, PATIENT);
}

/** What runs goes on with a wrong clock; what waits begins once it is right again. */
async function moveClock(world: FaultWorld, moved: string): Promise<void> {
  const { product, there, idOf, setClock } = world;
  const isOff = async () => {
    const { workers } = (await product.tazuna(["workers", "--json"], there)).json<{
      readonly workers: readonly WorkerDocument[];
    }>();
    return workers.find(({ here }) => !here)?.clock?.begins_nothing === true;
  };
  await setClock(moved);
  await waitFor("the others to see it", isOff, PATIENT);
  await openStates(product);
  const status = async (state: HeldState) => (await show(product, idOf(state), there)).run.status;
  await waitFor("a run to end", async () => (await status("checking")) === "SUCCEEDED", PATIENT);
  if ((await status("queued")) !== "PENDING") throw new Error("a run began with a wrong clock");
  await setClock("+0");
  await waitFor("the others to see that it is right", async () => !(await isOff()), PATIENT);
}
