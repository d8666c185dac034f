/** Tells what real agents cost whose model no configuration of ours names: it is read from what they tell. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { RealAgentId } from "../helpers/agent-home.ts";
import { ask, ending, noteCodes, PATIENCE_MS } from "../helpers/journey.ts";
import { byAgent, describeReal, INSTALLED, startRealProduct } from "../helpers/real-product.ts";

setDefaultTimeout(PATIENCE_MS);

const said = { usage: { input: 1000, output: 10 } };
const SCRIPT = {
  scenarios: [
    {
      when: /JOB-EDIT/,
      turns: [
        { tools: [{ op: "write" as const, path: "hello.txt", content: "hello\n" }], ...said },
        { text: "I wrote hello.txt.", ...said },
      ],
    },
  ],
};

/** Neither tells a cost. */
const ESTIMATED: readonly RealAgentId[] = ["codex", "gemini"];
const COST = { codex: 0.0106, gemini: 0.0027 } as Readonly<Record<string, number>>;

describeReal("the model that no configuration names", () => {
  test("is read from what the agent tells: there is an estimate, in a follow-up too, and a budget sees it", async () => {
    const agents = ESTIMATED.filter((id) => INSTALLED.includes(id));
    if (agents.length === 0) return;
    await using real = await startRealProduct({ script: SCRIPT });
    const unnamed = (id: RealAgentId) => ({ model: null, args: ["--model", real.home(id).model] });
    await real.product.configure({ agents: real.profiles(unnamed) });
    const first = await real.run("JOB-EDIT: write a file", agents);
    expect<unknown>(byAgent(first.attempts, ({ usage }) => [usage?.cost_usd, usage?.cost_estimated])).toEqual(
      byAgent(first.attempts, (_, { agent }) => [expect.closeTo(COST[agent] ?? 0, 6), true]),
    );
    for (const { attempt } of await real.continueEach(first.attempts, "JOB-EDIT: write it again")) {
      const [one, two] = attempt.runs.map(({ usage }) => usage?.cost_usd ?? 0);
      expect(two).toBeGreaterThan(0);
      expect([attempt.usage?.cost_usd, attempt.usage?.cost_estimated]).toEqual([
        expect.closeTo((one ?? 0) + (two ?? 0), 6),
        true,
      ]);
    }
    for (const agent of agents) {
      const args = ["run", "JOB-EDIT: write a file", "--agent", agent, "--budget", "0.0001"];
      const { run } = await ask(real.product, args);
      const seen = noteCodes(run).includes("over_budget") || run.failure?.message.includes("of its budget");
      expect([agent, seen, noteCodes(run).includes("budget_not_watched"), ending(run).status]).toEqual([
        agent,
        true,
        false,
        expect.any(String),
      ]);
    }
  });
});
