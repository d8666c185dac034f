/** Tells that with large files, or many, a run still ends truthfully and all of it stays. */
import { expect, setDefaultTimeout } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ask, changedPaths, PATIENCE_MS } from "../../helpers/journey.ts";
import { deep } from "../../helpers/tier.ts";
import { hostileAgents } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

const SPARSE = 100 * 1024 ** 3;

hostileAgents("sizes", [
  {
    name: "a file of 200 MB",
    ends: "gate_rejected",
    script: `head -c 200000000 /dev/zero > large.bin`,
  },
  {
    name: deep("10,000 small files in folders of a hundred"),
    script: `for d in $(seq 100); do mkdir "d$d"; (cd "d$d"; for f in $(seq 100); do echo "$f" > "$f"; done); done`,
    after: async ({ run }, { product }) => {
      expect((await changedPaths(product, product.origin, run.commit ?? "")).length).toBe(10_001);
    },
  },
  {
    name: deep("a sparse file of 100 GB"),
    ends: "gate_rejected",
    // Git reads all of it for the snapshot of the cancel, until its time is over.
    script: async ({ product }) => {
      await product.configure({ limits: { git_s: 5 } });
      return `truncate -s ${SPARSE} sparse.bin`;
    },
    after: async ({ attempt, run }, { product }) => {
      expect(run.failure?.details).toMatchObject({
        findings: [{ rule: "file_too_large", path: "sparse.bin" }],
      });
      const canceled = await ask(product, ["cancel", attempt.id]);
      expect(canceled.code).toBe(0);
      const inTrash = join(product.home, "trash", attempt.id, "sparse.bin");
      expect((await stat(inTrash)).size).toBe(SPARSE);
      const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"]);
      expect(emptied.code).toBe(0);
      expect((await stat(inTrash)).size).toBe(SPARSE);
    },
  },
]);
