/** Plays each fault of a team against runs at each state, and judges what is left once all is well again. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { fakeTime } from "../../helpers/fake-time.ts";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { whyNoTeamNetwork } from "../../helpers/network/team-network.ts";
import { tally } from "../../helpers/tally.ts";
import { teamJourney } from "../../helpers/team-journey.ts";
import { drawnOne } from "../../helpers/tier.ts";
import { whyNoSmallDisk } from "../crash/small-disk.ts";
import { FAULTS } from "./faults.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { faultWorld } from "./world.ts";

setDefaultTimeout(2 * PATIENCE_MS);

/** Why the first worker cannot have this of its own here; null if it can. */
const LACKS = {
  clock: fakeTime.library === null ? "libfaketime is not installed" : null,
  disk: await whyNoSmallDisk(),
};

/** Without machines the faults are played all the same, with all on one network. */
const noMachines = whyNoTeamNetwork();
const onMachines = noMachines === null;
const played = FAULTS.filter((fault) => !onMachines || fault.onMachines === undefined);
const where = onMachines ? "on machines of its own" : `on one network (${noMachines})`;

test("what machines play instead of a fault is a fault of the network", () => {
  const names = NETWORK_FAULTS.map(({ name }) => name);
  for (const { onMachines: instead } of FAULTS) if (instead !== undefined) expect(names).toContain(instead);
});

for (const { name, play, needs = null, endings = {} } of drawnOne(played, "team-faults"))
  teamJourney(
    `a team ${where} with runs at each state: ${name}`,
    async () => {
      await using world = await faultWorld({ onMachines, needs });
      await play(world);
      expect(await world.wrongInTheEnd((state) => endings[state] ?? ["pushed"])).toEqual([]);
      tally("fault", name);
    },
    needs === null ? null : LACKS[needs],
  );
