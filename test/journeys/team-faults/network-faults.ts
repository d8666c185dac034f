/** Lists what happens to the network between the machines of a team, and how each run that it meets may end. */
import { type Fault, WITHOUT_SESSION } from "./faults.ts";

export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: "the cable of a worker is pulled beyond the lease, and plugged again",
    play: async ({ machines, taken }) => {
      machines().here.pull();
      await taken("working").finally(() => machines().here.plug());
    },
    endings: WITHOUT_SESSION,
  },
];
