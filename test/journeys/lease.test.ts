/** Takes a working run from its engine as another worker would: by its lease in the database. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { ending, gate, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Lease {
  readonly lease_owner: string | null;
  readonly lease_epoch: number;
}

function openTable({ home }: Product) {
  return {
    leaseOf: (run: string) =>
      storedRows<Lease>(home, {
        sql: "select lease_owner, lease_epoch from runs where id = $1",
        values: [run],
      })[0] as Lease,
    /** As another owner, for so many seconds. */
    take: (run: string, seconds: number) =>
      storedRows(home, {
        sql: "update runs set lease_owner = 'another', lease_epoch = lease_epoch + 1, lease_until = $1 where id = $2",
        values: [new Date(Date.now() + seconds * 1_000).toISOString(), run],
      }),
  };
}

/** The oldest process that belongs to the run: its keeper. */
const firstProcess = async (run: string) => (await findMarked({ name: "TAZUNA_RUN", value: run }))[0];

test(
  deep("a run that another owner has taken is left alone until that owner's lease expires, then goes on"),
  async () => {
    await using product = await startProduct({ timing: { leaseMs: 1_200 } });
    await using door = gate(product, "taken");
    await product.agent("writer", `${door.wait}; echo one > hello.txt; echo Done.`);
    const { run, document } = taskEnd(
      await product.tazuna(["run", "Write hello", "--agent", "writer", "--detach", "--json"]),
    );
    await door.reached();
    const table = openTable(product);
    const agent = await firstProcess(run.id);
    const { lease_owner: owner } = table.leaseOf(run.id);
    table.take(run.id, 2);
    const takenAt = performance.now();
    // The driver has to leave the working agent, or it would hold the run until the agent ends.
    await waitFor("the engine to take it again", async () => table.leaseOf(run.id).lease_epoch === 3);
    expect(performance.now() - takenAt).toBeGreaterThan(1_900);
    expect([table.leaseOf(run.id).lease_owner, await firstProcess(run.id)]).toEqual([owner, agent]);
    await door.open();
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(table.leaseOf(run.id).lease_owner).toBeNull();
  },
);

test(deep("a killed engine's runs go on at once, since its data folder names the owner"), async () => {
  await using product = await startProduct();
  await using door = gate(product, "killed");
  await product.agent("writer", `${door.wait}; echo one > hello.txt; echo Done.`);
  const { run, document } = taskEnd(
    await product.tazuna(["run", "Write hello", "--agent", "writer", "--detach", "--json"]),
  );
  await door.reached();
  await product.killEngine();
  const table = openTable(product);
  const { lease_owner: before } = table.leaseOf(run.id);
  await product.tazuna(["list", "--json"]);
  await waitFor("the next engine to take it", async () => table.leaseOf(run.id).lease_epoch === 2);
  expect(table.leaseOf(run.id).lease_owner).toBe(before);
  await door.open();
  expect(ending(taskEnd(await product.tazuna(["wait", document.task.id, "--json"])).run)).toEqual({
    status: "SUCCEEDED",
    outcome: "pushed",
  });
});
