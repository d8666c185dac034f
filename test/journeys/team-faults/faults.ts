/** Lists what happens to a team, and how each run that it meets may end. */
import { agentIsStopped, allEndElsewhere, moveClock } from "./plays.ts";
import type { HeldState } from "./states.ts";
import type { FaultWorld, Needs } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** What the first worker has of its own for it. */
  readonly needs?: Needs;
  /** Makes it happen, and ends it. The gates are opened after that. */
  readonly play: (world: FaultWorld) => Promise<unknown>;
  /** The fault of the network that is the same or more: where there are machines, it is played instead. */
  readonly onMachines?: string;
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
    play: async (world) => {
      await world.losePower("here");
      await allEndElsewhere(world);
      world.powerIsBack("here");
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
    play: async ({ dropConnections }) => dropConnections(),
  },
  {
    name: "the line to the database is down beyond the lease",
    onMachines: "the cable of a worker is pulled beyond the lease, and plugged again",
    play: async ({ line, taken }) => {
      line.cut("all");
      await taken("working").finally(() => line.cut(null));
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "what the database answers is lost beyond the lease",
    onMachines: "what the database sends to a worker is lost beyond the lease",
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
      // Both from now on: soon after it was taken, another agent works for it.
      await Promise.all([agentIsStopped(idOf("working")), taken("working")]);
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "two others want the runs of a machine that loses its power",
    play: async ({ joinThird, losePower, powerIsBack, taken }) => {
      await joinThird();
      await losePower("here");
      await taken("working");
      powerIsBack("here");
    },
    endings: WITHOUT_SESSION,
  },
  {
    name: "both machines lose their power, and only that with the depot comes back",
    play: async ({ losePower, powerIsBack, serveAgain, taken }) => {
      await losePower("here");
      await losePower("there");
      powerIsBack("there");
      await serveAgain();
      await taken("working");
      powerIsBack("here");
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
