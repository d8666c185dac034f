/** Lists what happens to a team, and how each run that it meets may end. */
import type { HeldState } from "./states.ts";
import type { FaultWorld } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** Makes it happen, and ends it. The gates are opened after that. */
  readonly play: (world: FaultWorld) => Promise<unknown>;
  /** Of the states whose runs may end otherwise than pushed. */
  readonly endings?: Partial<Record<HeldState, readonly string[]>>;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "the engine is killed and started again",
    play: async ({ product }) => {
      await product.killEngine();
      await product.tazuna(["list"]);
    },
    // If a slow machine starts the engine late, the keeper stops the agent, and without a session it cannot go on.
    endings: { working: ["pushed", "interrupted"] },
  },
  {
    name: "the server with the depot is killed and started again",
    play: async ({ killServer, serveAgain }) => {
      await killServer();
      await serveAgain();
    },
  },
];
