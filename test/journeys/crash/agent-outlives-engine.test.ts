/** Kills the engine while an agent works: the agent works on, and the next engine finds it or its end. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, fileAt, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { processesOfRun } from "./processes.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;

const beside = (product: Product, name: string) => join(dirname(product.home), name);

/** Says a numbered line ten times a second until the test opens the gate, then edits and ends. */
function talker(product: Product): string {
  return `i=0
until [ -e '${beside(product, "gate")}' ] || [ $i -gt 900 ]; do i=$((i+1)); echo "line $i"; sleep 0.1; done
echo $i > said.txt; echo "The end."`;
}

const openGate = (product: Product) => writeFile(beside(product, "gate"), "");

/** Starts the run in the background and waits until its agent works. */
async function workingRun(product: Product): Promise<string> {
  await product.tazuna(["run", "Talk", "--agent", "agent", "--detach", "--json"]);
  return eventually(
    "the agent to work",
    async () => (await readFile(startsFile(product), "utf8").catch(() => "")).trim() || null,
  );
}

async function linesSaid(product: Product, run: string): Promise<number> {
  const text = await readFile(join(product.home, "runs", run, "out.jsonl"), "utf8").catch(() => "");
  return text.split("\n").length - 1;
}

/** Waits until the agent has said more than it had when this was called. */
async function saysMore(product: Product, run: string): Promise<void> {
  const before = await linesSaid(product, run);
  await eventually("the agent to say more", async () => (await linesSaid(product, run)) > before);
}

async function wrong(product: Product): Promise<readonly string[]> {
  return whatIsWrong(product, { starts: startsFile(product) });
}

test("seed 003 Phase 2: the agent's stream is recorded: if it ends while no engine runs, the next engine reads it (promise 4.2)", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", talker(product));
  const run = await workingRun(product);
  await product.killEngine();
  await saysMore(product, run);
  await openGate(product);
  await eventually("the agent's end", () => existsSync(join(product.home, "runs", run, "exit.json")));
  await eventually("nothing of it to be left", () => processesOfRun(run).length === 0);
  expect(await product.enginePid()).toBeNull();
  const end = await ask(product, ["wait", run]);
  expect(ending(end.run)).toEqual(PUSHED);
  expect(end.run.summary).toBe("The end.");
  expect(await wrong(product)).toEqual([]);
  tally("kill", "an agent that ends while no engine runs is read by the next engine and published", {
    under: "guard",
  });
});

test("an engine that is killed again and again finds the same agent each time (promise 4.2)", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", talker(product));
  const run = await workingRun(product);
  const began = () => readDataFolder(product.home).facts.length;
  for (let kills = 0; kills < 3; kills += 1) {
    await product.killEngine();
    await saysMore(product, run);
    const facts = began();
    await product.tazuna(["list"]);
    await eventually("the next engine to tell of the agent", () => began() > facts);
  }
  await openGate(product);
  expect(ending((await ask(product, ["wait", run])).run)).toEqual(PUSHED);
  expect(await wrong(product)).toEqual([]);
  tally("kill", "an engine that is killed again and again finds the same agent each time", {
    under: "guard",
  });
});

test(
  deep("last actions go on, and `logs --follow` shows every line once over the engine's death"),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", talker(product));
    const run = await workingRun(product);
    const following = product.start(["logs", run, "--follow", "--json"]);
    await saysMore(product, run);
    await product.killEngine();
    await saysMore(product, run);
    const said = await linesSaid(product, run);
    const shown = await eventually("a later last action", async () => {
      const end = await product.tazuna(["show", run, "--json"]);
      const { last_action: last } = end.json<{ readonly last_action: { readonly text: string } | null }>();
      return Number(/line (\d+)/.exec(last?.text ?? "")?.[1]) > said ? last?.text : null;
    });
    expect(shown).toMatch(/^line \d+$/);
    const late = product.start(["logs", run, "--follow", "--json"]);
    await openGate(product);
    const end = await ask(product, ["wait", run]);
    const count = Number(await fileAt(product, product.origin, end.attempt.branch, "said.txt"));
    const expected = [...Array.from({ length: count }, (_, index) => `line ${index + 1}`), "The end."];
    for (const command of [following, late]) {
      const { code, stdout } = await command.end;
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { n: number; source: string; event: { text: string } });
      expect(code).toBe(0);
      expect(lines.filter(({ source }) => source === "agent").map(({ event }) => event.text)).toEqual(
        expected,
      );
      expect(lines.map(({ n }) => n)).toEqual(lines.map((_, index) => index + 1));
    }
    expect(await wrong(product)).toEqual([]);
    tally("kill", "last actions go on, and 'logs --follow' shows every line once over the engine's death", {
      under: "guard",
    });
  },
);

test("an agent that a killed engine started is stopped through the next one", async () => {
  await using product = await startProduct();
  await countedAgent(product, "agent", `echo kept > kept.txt; ${talker(product)}`);
  const run = await workingRun(product);
  await product.killEngine();
  const end = await ask(product, ["stop", run]);
  expect(ending(end.run)).toEqual({ status: "CANCELED", outcome: null });
  expect(await readFile(join(end.attempt.worktree, "kept.txt"), "utf8")).toBe("kept\n");
  expect(await wrong(product)).toEqual([]);
  tally("kill", "an agent that a killed engine started is stopped through the next one", { under: "guard" });
});

/** An agent over ACP that notes every request it gets, and answers the prompt once the gate is open. */
const ACP_AGENT = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [heard, gate] = process.argv.slice(2);
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (text) =>
  say({
    method: "session/update",
    params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  "session/new": () => ({ sessionId: "s1" }),
  "session/prompt": async () => {
    update("Working");
    while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync("new.txt", "new\\n");
    update(" and done.");
    return { stopReason: "end_turn" };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(heard, method + " " + JSON.stringify(params.prompt ?? null) + "\\n");
  Promise.resolve(answers[method]()).then((result) => say({ id, result }));
}
`;

test(deep("a conversation with an agent goes on with the next engine, nothing said twice"), async () => {
  await using product = await startProduct();
  const [program, heard] = [beside(product, "agent.mjs"), beside(product, "heard")];
  await writeFile(program, ACP_AGENT);
  const command = [process.execPath, program, heard, beside(product, "gate")];
  await product.configure({ agents: { agent: { executor: "acp", command } } });
  const running = product.start(["run", "Talk to me", "--agent", "agent", "--json"]);
  const asked = async () => (await readFile(heard, "utf8").catch(() => "")).trim().split("\n");
  await eventually("the prompt", async () => (await asked()).length >= 3);
  await product.killEngine();
  await product.tazuna(["list"]);
  await product.killEngine();
  await openGate(product);
  const last = (await running.end).json().attempts[0]?.runs[0];
  expect({ outcome: last?.outcome, summary: last?.summary }).toEqual({
    outcome: "pushed",
    summary: "Working and done.",
  });
  const [first, second, third, ...rest] = await asked();
  expect([first, second, rest]).toEqual(["initialize null", "session/new null", []]);
  expect(third).toContain("Talk to me");
  expect(await whatIsWrong(product, { starts: null })).toEqual([]);
  tally("kill", "a conversation with an agent goes on with the next engine, nothing said twice", {
    under: "guard",
  });
});
