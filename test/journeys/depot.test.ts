/** Copies unfinished work into a depot: what an agent edits is there before it ends, whatever happens to its machine. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { depotWorld } from "../helpers/depot-world.ts";
import { ask, ending, gate, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const journey = (title: string, play: () => Promise<void>) =>
  test.skipIf("missing" in postgres)(
    deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
    play,
  );

journey("what an agent edits is in the depot before it ends, also after its engine was killed", async () => {
  await using world = await depotWorld();
  const { product } = world;
  await using first = gate(product, "first");
  await using second = gate(product, "second");
  await product.agent(
    "writer",
    `echo one > one.txt; echo secret > one.local; ${first.wait}; echo two > two.txt; ${second.wait}; echo Done.`,
  );
  const server = await world.serve(["--depot", world.folder]);
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await first.reached();
  const one = await world.holds(begun.attempt.id, { "one.txt": "one" });
  expect(one).toMatchObject({ run_id: begun.run.id, unprotected_since: null });
  expect(one.ref).toStartWith(`refs/tazuna/live/${begun.attempt.id}/${begun.run.id}/1/`);
  // Its parent is the commit that the agent began with, and ignored files stay where they are.
  expect(await world.git(["rev-parse", `${one.sha}^@`])).toBe(one.base ?? "");
  expect(await world.git(["ls-tree", "--name-only", one.sha ?? ""])).toBe(".gitignore\nREADME.md\none.txt");

  server.kill("SIGKILL");
  await server.end;
  await first.open();
  await second.reached();
  await world.serve(["--depot", world.folder]);
  const two = await world.holds(begun.attempt.id, { "one.txt": "one", "two.txt": "two" });
  expect(two.ref).toStartWith(`refs/tazuna/live/${begun.attempt.id}/${begun.run.id}/2/`);
  await second.open();
  const end = taskEnd(await product.tazuna(["wait", begun.document.task.id, "--json"]));
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const committed = await world.protection(begun.attempt.id);
  expect(committed).toMatchObject({ sha: end.run.commit, base: end.run.commit });
  expect(committed?.ref).toStartWith("refs/tazuna/runs/");
});
