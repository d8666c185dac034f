/** Kills the engine right beside the transaction that creates something, and asks again under the same key. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { countedAgent } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

const EDIT = 'echo "$TAZUNA_RUN" > new.txt; echo Done.';

/** Starts an engine that is killed at `failpoint`, once. */
async function engineKilledAt(product: Product, failpoint: string): Promise<void> {
  const reached = join(dirname(product.home), "reached");
  await product.tazuna(["list"], { env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` } });
}

async function post(
  product: Product,
  path: string,
  request: { readonly key: string; readonly body: object },
) {
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": request.key,
    },
    body: JSON.stringify(request.body),
  });
  return { status: response.status, document: (await response.json()) as Record<string, never> };
}

for (const failpoint of ["create:task", "created:task"])
  test(`a task whose engine is killed at ${failpoint} is there once, and its key answers it`, async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    await engineKilledAt(product, failpoint);
    const body = { repository: product.repository, issue: "Change it", agents: ["agent"] };

    await expect(post(product, "/tasks", { key: "k", body })).rejects.toThrow();
    await eventually("the engine to be killed", async () => (await product.enginePid()) === null);
    const made = readDataFolder(product.home).runs.length;
    await product.tazuna(["list"]);
    const again = await post(product, "/tasks", { key: "k", body });

    expect(made).toBe(failpoint === "created:task" ? 1 : 0);
    const [run] = readDataFolder(product.home).runs;
    expect(again).toMatchObject({ status: 201, document: { attempts: [{ runs: [{ id: run?.id }] }] } });
    expect(await post(product, "/tasks", { key: "k", body })).toEqual(again);
    expect((await post(product, "/tasks", { key: "k", body: { ...body, issue: "Else" } })).status).toBe(422);
    expect(readDataFolder(product.home).runs).toHaveLength(1);
    tally("kill", `a task whose engine is killed at ${failpoint} is there once, and its key answers it`, {
      under: "guard",
    });
  });

test("a follow-up made just before its engine is killed is there once, and its key answers (promise 4.3)", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", EDIT);
  const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await product.killEngine();
  await engineKilledAt(product, "created:run");
  const path = `/attempts/${attempt.id}/runs`;
  const body = { instruction: "Once more" };

  await expect(post(product, path, { key: "k", body })).rejects.toThrow();
  await eventually("the engine to be killed", async () => (await product.enginePid()) === null);
  await product.tazuna(["list"]);
  const again = await post(product, path, { key: "k", body });

  const runs = readDataFolder(product.home).runs.map(({ id }) => ({ id }));
  expect(again).toMatchObject({ status: 201, document: { attempts: [{ runs }] } });
  expect(runs).toHaveLength(2);
  expect((await post(product, path, { key: "k", body: { instruction: "Else" } })).status).toBe(422);
  tally("kill", "a follow-up made just before its engine is killed is there once, and its key answers", {
    under: "guard",
  });
});

test(deep("a command whose engine is killed right after it made the task waits for that task"), async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", EDIT);
  const env = { TAZUNA_FAILPOINT: `created:task@${join(dirname(product.home), "reached")}` };
  const end = await ask(product, ["run", "Change it", "--agent", "agent"], { env });
  expect(end.code).toBe(0);
  expect(end.run.outcome).toBe("pushed");
  expect(readDataFolder(product.home).runs).toHaveLength(1);
  tally("kill", "a command whose engine is killed right after it made the task waits for that task", {
    under: "guard",
  });
});
