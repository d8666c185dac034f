/** Plays each fault of the network between machines against runs at each state, and judges what is left. */
import { expect, setDefaultTimeout } from "bun:test";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { whyNoTeamNetwork } from "../../helpers/network/team-network.ts";
import { tally } from "../../helpers/tally.ts";
import { teamJourney } from "../../helpers/team-journey.ts";
import { drawnOne } from "../../helpers/tier.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { faultWorld } from "./world.ts";

setDefaultTimeout(2 * PATIENCE_MS);

const missing = whyNoTeamNetwork();

for (const { name, play, endings = {}, leaseMs } of drawnOne(NETWORK_FAULTS, "network-faults"))
  teamJourney(
    `a team on machines of its own with runs at each state: ${name}`,
    async () => {
      await using world = await faultWorld({ onMachines: true, ...(leaseMs && { leaseMs }) });
      await play(world);
      expect(await world.wrongInTheEnd((state) => endings[state] ?? ["pushed"])).toEqual([]);
      tally("fault", name);
    },
    missing,
  );
