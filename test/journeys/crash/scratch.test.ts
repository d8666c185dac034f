/** Kills the engine while temporary files of its own lie about: the next one finds them in its data folder. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { eventually } from "./eventually.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

test("the index of a snapshot whose engine was killed is removed by the next one", async () => {
  await using product = await startProduct();
  const beside = (name: string) => join(dirname(product.home), name);
  const [temporary, begun, gate] = [beside("tmp"), beside("filtered"), beside("gate")];
  await mkdir(temporary);
  const env = { TMPDIR: temporary };
  const filter = `echo clean >> '${begun}'; i=0; until [ -e '${gate}' ] || [ $i -gt 300 ]; do sleep 0.1; i=$((i+1)); done; cat`;
  await product.sandbox.git(product.repository, ["config", "--global", "filter.slow.clean", filter]);
  const attributes = "echo '*.slow filter=slow' > .gitattributes; echo x > a.slow";
  await countedAgent(product, "agent", `${attributes}; echo half > new.txt; exit 3`);
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"], { env });
  await eventually("the snapshot", () => existsSync(begun));
  await product.killEngine();

  const left = await readdir(join(product.home, "scratch"));
  await writeFile(gate, "");
  const end = (await running.end).json();

  expect(left).toEqual([expect.stringMatching(/^snapshot-/)]);
  expect(end.attempts[0]?.runs[0]?.failure?.code).toBe("agent_failed");
  expect(await whatIsWrong(product, { starts: startsFile(product) })).toEqual([]);
  expect((await readdir(temporary)).filter((name) => name.startsWith("tazuna-"))).toEqual([]);
  tally("kill", "the index of a snapshot whose engine was killed is removed by the next one", {
    under: "guard",
  });
});

test("what killed writers left beside the files of the engine is removed by the next one", async () => {
  await using product = await startProduct();
  await product.tazuna(["list"]);
  await product.killEngine();
  const left = ["", "git-settings"].map((folder) =>
    join(product.home, folder, ".half.json.0a1b2c3d-4e5f.tmp"),
  );
  await mkdir(join(product.home, "git-settings"), { recursive: true });
  for (const file of left) await writeFile(file, "{");
  await product.tazuna(["list"]);
  expect(left.filter((file) => existsSync(file))).toEqual([]);
});
