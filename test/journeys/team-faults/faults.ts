/** Lists what happens to a team, and how each run that it meets may end. */
import { waitFor } from "../../helpers/wait-for.ts";
import { processesOfRun } from "../crash/processes.ts";
import type { HeldState } from "./states.ts";
import { type FaultWorld, PATIENT } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** Makes it happen, and ends it. The gates are opened after that. */
  readonly play: (world: FaultWorld) => Promise<unknown>;
  /** Of the states whose runs may end otherwise than pushed. */
  readonly endings?: Partial<Record<HeldState, readonly string[]>>;
}

/** An agent without a session that was stopped cannot go on at its own worker. */
const WITHOUT_SESSION = { working: ["pushed", "interrupted: fenced"] } as const;

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
    play: async ({ postgres, held }) => {
      await postgres.stop();
      const working = held.find(({ state }) => state === "working")?.begun.run.id ?? "";
      await waitFor("the agent to be stopped", () => processesOfRun(working).length === 0, PATIENT);
      await postgres.start();
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
