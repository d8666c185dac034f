/** Kills the engine that takes a lost run over: its next start goes on, and the run is done once. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ask, ending, gate, PATIENCE_MS } from "../../helpers/journey.ts";
import { movingWorld } from "../../helpers/moving-world.ts";
import { postgres } from "../../helpers/postgres-server.ts";
import { tally } from "../../helpers/tally.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { around } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

for (const failpoint of around("take_over"))
  test.skipIf(missing !== "")(
    deep(`a lost run whose new worker was killed at ${failpoint} goes on there, once${missing}`),
    async () => {
      await using folder = await tempDir();
      const reached = join(folder.path, "reached");
      await using team = await movingWorld(
        (product) => `[ -e one.txt ] && exit 0; echo one > one.txt; ${gate(product, "held").wait}`,
        { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
      );
      const { product } = team;
      const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
      await gate(product, "held").reached();
      await team.holds(begun.attempt.id, { "one.txt": "one" });
      await team.lose(begun.run.id);
      await waitFor("the other engine to be killed", () => existsSync(reached), { withinMs: 240_000 });
      await team.server.end;
      await team.serve(["--depot", team.folder], team.there.env);
      const run = await team.ended(begun);
      expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      const commits = ["rev-list", `main..${begun.attempt.branch}`];
      expect(await product.sandbox.git(product.origin, commits)).toBe(run.commit ?? "");
      tally("kill", `the engine at ${failpoint}`, { under: "guard" });
    },
  );
