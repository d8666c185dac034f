/** Plays each fault of a team against runs at each state, and judges what is left once all is well again. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { postgres } from "../../helpers/postgres-server.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawnOne } from "../../helpers/tier.ts";
import { FAULTS } from "./faults.ts";
import { faultWorld } from "./world.ts";

setDefaultTimeout(2 * PATIENCE_MS);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf("missing" in postgres).each(drawnOne(FAULTS, "team-faults"))(
  deep(`a team with runs at each state: $name${skipped}`),
  async ({ name, play, endings = {} }) => {
    await using world = await faultWorld();
    await play(world);
    expect(await world.wrongInTheEnd((state) => endings[state] ?? ["pushed"])).toEqual([]);
    tally("fault", name);
  },
);
