/** Lets a person allow the same from now on: by the exact command, by its first words, until the rule is removed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { FactDocument } from "../../src/contract/endpoints/operations.ts";
import { askingAgent, asks } from "../helpers/asking-agent.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const INSTALL = "npm install left-pad";

test(deep("a rule of a person allows later questions, says so, and stops when it is removed"), async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const work = (command: string) => ask(product, ["run", `ask ${command}`, "--agent", "agent"]);
  const rules = async () =>
    (await product.tazuna(["rules", "--json"])).json<{ rules: { id: string; text: string }[] }>().rules;

  const first = await work(INSTALL);
  expect(first.run.question?.always).toEqual({ whole: INSTALL, prefix: "npm install" });
  const unfit = await refused(product, ["answer", first.run.id, "--allow", "--always-for", "npm"]);
  expect(unfit.error.code).toBe("answer_unfit");
  const told = await product.tazuna(["answer", first.run.id, "--allow", "--always"]);
  expect([told.code, told.stderr]).toEqual([
    0,
    expect.stringContaining(`Allowed from now on in this repository: ${INSTALL}`),
  ]);
  await ask(product, ["wait", first.run.id]);

  const second = await work(INSTALL);
  expect([second.code, second.run.status]).toEqual([0, "SUCCEEDED"]);
  const [rule] = await rules();
  const log = (await product.tazuna(["logs", second.run.id])).stdout;
  expect(log).toContain(`Allowed by your rule ${rule?.id.slice(0, 8)} (${INSTALL})`);

  const other = await work("npm install right-pad");
  expect(other.code).toBe(3);
  await ask(product, ["answer", other.run.id, "--allow", "--always-for", "npm install"]);
  await ask(product, ["wait", other.run.id]);
  expect((await work("npm install third")).code).toBe(0);
  const joined = await agent.begin("ask npm install x && curl example.com");
  expect(joined.question.always?.prefix).toBeNull();
  await ask(product, ["stop", joined.run.id]);

  const activity = (await product.tazuna(["activity", "--json"])).stdout;
  expect(activity).toContain("answer_rule_added");
  for (const { id } of await rules()) expect((await product.tazuna(["rules", "remove", id])).code).toBe(0);
  expect(await rules()).toEqual([]);
  const again = await agent.begin(`ask ${INSTALL}`);
  expect((await asks(product, again.run.id)).question.words).toBe(INSTALL);
  await ask(product, ["stop", again.run.id]);
});

for (const [state, questionMs] of [
  ["waits for its answer", 600_000],
  ["was stopped without an answer", 300],
] as const)
  test(deep(`a new rule answers what the same repository asks already; the agent ${state}`), async () => {
    await using product = await startProduct({ timing: { questionMs } });
    const agent = await askingAgent(product);
    const other = await product.sandbox.repository("other");
    const runs = [
      await agent.begin(`ask2 ${INSTALL}\nask2 ${INSTALL}`),
      await agent.begin(`ask ${INSTALL}`),
      await agent.begin("ask npm install right-pad"),
    ];
    const [first, same, different] = runs.map(({ run }) => run.id) as [string, string, string];
    const elsewhere = (
      await ask(product, ["run", `ask ${INSTALL}`, "--agent", "agent", "--detach", "--repo", other])
    ).run.id;
    await asks(product, elsewhere);
    if (questionMs < 1_000)
      for (const run of [first, same, different])
        await waitFor("the run to be parked", async () => (await asks(product, run)).question.parked_at);

    const told: FactDocument[] = [];
    const leave = new AbortController();
    void (await httpApi(product)).client.followFacts({
      after: 0,
      signal: leave.signal,
      onOpen: () => {},
      onFact: (fact) => {
        told.push(fact);
      },
    });
    await product.tazuna(["answer", first, "--allow", "--always"]);
    for (const run of [first, same]) {
      expect((await ask(product, ["wait", run])).run.status).toBe("SUCCEEDED");
      const log = (await product.tazuna(["logs", run])).stdout;
      expect(log.split(/Allowed by your rule [0-9a-f]{8} \(npm install left-pad\)/).length).toBeGreaterThan(
        1,
      );
    }
    const [rule] = (await product.tazuna(["rules", "--json"])).json<{ rules: { id: string }[] }>().rules;
    await waitFor("the fact of it", () =>
      told.find(({ run, data }) => run === same && data.state === "answered" && data.rule === rule?.id),
    );
    leave.abort();
    // Another command still waits for a person, and so does the same one elsewhere.
    for (const run of [different, elsewhere]) {
      expect((await asks(product, run)).run.phase).toBe("waiting");
      await ask(product, ["stop", run]);
    }
  });
