import { expect, test } from "bun:test";
import { join } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { LINUX } from "../helpers/need.ts";
import { startProduct } from "../helpers/product.ts";

const BIN = join(import.meta.dir, "../../bin/tazuna");

test.skipIf(LINUX.missing)(
  `output that cannot be written is one line and exit 1${LINUX.why}`,
  async () => {
    await using world = await startProduct();
    // Else a slow start of the engine is told, too.
    await world.tazuna(["list"]);
    const child = Bun.spawn(["sh", "-c", '"$0" list --json > /dev/full', BIN], {
      cwd: world.repository,
      env: { ...world.env },
      stderr: "pipe",
    });
    expect([await new Response(child.stderr).text(), await child.exited]).toEqual([
      "tazuna: The output cannot be written (ENOSPC). Runs go on. Mend the place that the output goes to.\n",
      1,
    ]);
  },
  PATIENCE_MS,
);
