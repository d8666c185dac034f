/** Lets a person allow the same from now on: by the exact command, by its first words, until the rule is removed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { askingAgent, asks } from "../helpers/asking-agent.ts";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

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
