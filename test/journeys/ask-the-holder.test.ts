/** Asks at one machine for what lies with another one, which does it: two engines on one Postgres. */
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { type HttpApi, httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS, refused, type TaskEnd } from "../helpers/journey.ts";
import type { Product } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

async function worked(product: Product): Promise<TaskEnd & { readonly file: string }> {
  await product.agent("writer", "echo one > one.txt; echo Done.");
  const end = await ask(product, ["run", "Change it", "--agent", "writer"]);
  return { ...end, file: join(end.attempt.worktree, "one.txt") };
}

/** Its lines lie in the data folder of the worker that drove it, and nowhere else. */
const logOf = async (api: HttpApi, run: string) =>
  JSON.stringify((await api.json(`/runs/${run}/events`)).lines);

const operationsOf = async (api: HttpApi, attempt: string) =>
  (await api.json(`/operations?subject=${attempt}`)).items as readonly OperationDocument[];

journey("what another one holds is shown, restored, undone and merged from here", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  const { attempt, run, file } = await worked(product);
  await world.settle();
  await writeFile(file, "edited\n");
  expect((await product.tazuna(["diff", attempt.id], there)).stdout).toContain("+one");
  const api = await httpApi({ ...product, home: world.home });
  const { own_edits } = await api.json(`/attempts/${attempt.id}/situation?look=true`);
  expect(own_edits).toEqual([{ path: "one.txt", status: "modified" }]);
  expect(await logOf(api, run.id)).toContain("Done.");

  const restored = await product.tazuna(["restore", run.id, "--json"], there);
  expect(restored.code).toBe(0);
  expect(await readFile(file, "utf8")).toBe("one\n");
  const { operation } = restored.json<{ operation: { readonly id: string } }>();
  expect((await product.tazuna(["undo", operation.id], there)).code).toBe(0);
  expect(await readFile(file, "utf8")).toBe("edited\n");

  expect((await product.tazuna(["cancel", attempt.id], there)).code).toBe(0);
  await waitFor("it to be in the trash", () => !existsSync(file));
  expect((await product.tazuna(["trash", "restore", attempt.id], there)).code).toBe(0);
  expect(await readFile(file, "utf8")).toBe("edited\n");

  // Into the checkout of the machine that has the clone.
  expect((await product.tazuna(["merge", attempt.id, "--here"], there)).code).toBe(0);
  expect(await readFile(join(product.repository, "one.txt"), "utf8")).toBe("one\n");
  expect(existsSync(join(world.clone, "one.txt"))).toBe(false);
});

journey("one that is killed in the middle leaves an unknown outcome, and nothing is repeated", async () => {
  await using world = await twoEngines();
  const { product } = world;
  const { attempt, run, file } = await worked(product);
  await product.killEngine();
  const reached = join(dirname(product.home), "reached");
  await world.settle({ TAZUNA_FAILPOINT: `after:run_restore@${reached}` });
  await writeFile(file, "edited\n");
  const api = await httpApi({ ...product, home: world.home });
  const begun = performance.now();
  const answer = await api.json(`/runs/${run.id}/restore`, { method: "POST", body: {} });
  expect([answer.code, existsSync(reached)]).toEqual(["outcome_unknown", true]);
  // Of one that lives an answer would be waited for, for a minute.
  expect(performance.now() - begun).toBeLessThan(60_000);
  await waitFor("it to be gone", async () => (await product.enginePid()) === null);
  // Nobody is there now: the call goes no further than this.
  const next = await api.json(`/runs/${run.id}/restore`, { method: "POST", body: {} });
  expect(next.code).toBe("held_elsewhere");
  expect(attempt.id).toBe(next.details.attempt);
});

journey("one that is stopped refuses, and does not do it later either", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  const { attempt, run, file } = await worked(product);
  await world.settle();
  await writeFile(file, "edited\n");
  const api = await httpApi({ ...product, home: world.home });
  const restores = async () =>
    (await operationsOf(api, attempt.id)).filter(({ kind }) => kind === "run_restore").length;
  const pid = (await product.enginePid()) ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    const [answer, look] = await Promise.all([
      api.json(`/runs/${run.id}/restore`, { method: "POST", body: {} }),
      // It shows what is known here.
      api.call(`/attempts/${attempt.id}/gate`),
    ]);
    expect([answer.code, look.status]).toEqual(["worker_silent", 200]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await waitFor("it to answer again", async () => (await logOf(api, run.id)).includes("Done."));
  // It comes after whatever was begun on the attempt before.
  const { error } = await refused(product, ["merge", attempt.id], there);
  expect(error.code).toBe("target_checked_out");
  expect([await readFile(file, "utf8"), await restores()]).toEqual(["edited\n", 0]);
  // On a busy machine it may count as silent for a moment, and refuses then.
  const restored = async () => (await product.tazuna(["restore", run.id], there)).code === 0;
  await waitFor("it to be restored", restored, { withinMs: 90_000 });
  expect([await readFile(file, "utf8"), await restores()]).toEqual(["one\n", 1]);
});
