/** Kills the keeper of a working agent: the agent's end is unknown then, so nothing of it may live on. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, changedPaths, ending, fileAt, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { isAlive, processesOf, processesOfRun } from "./processes.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

const INTERRUPTED = { status: "FAILED", outcome: null, failure: "interrupted" } as const;

/** Processes that the end of their agent does not end: one in the background, one in another session. */
const MARKED = [
  'sh -c \'trap "" TERM; echo $$ >> "$FAMILY"; exec sleep 300\' &',
  "setsid sh -c 'echo $$ >> \"$FAMILY\"; exec sleep 300' &",
];
/** It carries no mark; only its parent, while that lives, tells whose it is. */
const UNMARKED = 'env -i "PATH=$PATH" "FAMILY=$FAMILY" sh -c \'echo $$ >> "$FAMILY"; exec sleep 300\' &';

/** On its first start an agent with a family that works for minutes; later one that finishes at once. */
async function agentWithFamily(product: Product, family: readonly string[]): Promise<void> {
  const pids = join(dirname(product.home), "family");
  await countedAgent(
    product,
    "agent",
    `if [ -e '${pids}' ]; then echo more > more.txt; echo Done.; exit 0; fi
export FAMILY='${pids}'
echo kept > kept.txt; echo changed >> README.md
${family.join("\n")}
echo Working.
sleep 300`,
  );
}

interface Working {
  readonly run: string;
  readonly keeper: number;
  /** Pids of the agent and of all its family. */
  readonly pids: readonly number[];
}

/** Starts the run in the background and waits until the whole family is there. */
async function working(product: Product, family = [...MARKED, UNMARKED]): Promise<Working> {
  await agentWithFamily(product, family);
  await product.tazuna(["run", "Work long", "--agent", "agent", "--detach", "--json"]);
  const file = join(dirname(product.home), "family");
  const pids = await eventually("the agent's family", async () => {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    return lines.length === family.length ? lines.map(Number) : null;
  });
  const run = (await readFile(startsFile(product), "utf8")).trim();
  const keeper = await eventually("the agent in keeper.json", async () => {
    const record = JSON.parse(await readFile(join(product.home, "runs", run, "keeper.json"), "utf8"));
    return record.agentPid === null ? null : (record as { pid: number; agentPid: number });
  });
  return { run, keeper: keeper.pid, pids: [keeper.agentPid, ...pids] };
}

/**
 * Nothing of the agent lives. Its edits are in the worktree and in a snapshot, and the next message goes on from
 * them.
 */
async function expectKeptAndContinued(product: Product, working: Working, end: TaskEnd): Promise<void> {
  expect(working.pids.filter(isAlive)).toEqual([]);
  expect(processesOfRun(working.run)).toEqual([]);
  expect(await readFile(join(end.attempt.worktree, "kept.txt"), "utf8")).toBe("kept\n");
  const [snapshot] = readDataFolder(product.home).snapshots;
  expect(snapshot?.reason).toBe("turn_ended_badly");
  expect(await fileAt(product, product.repository, snapshot?.ref ?? "", "kept.txt")).toBe("kept");

  const next = await ask(product, ["continue", end.attempt.id, "Go on"]);
  expect(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const paths = await changedPaths(product, product.origin, next.run.commit ?? "");
  expect(paths).toEqual(["README.md", "kept.txt", "more.txt"]);
  expect(await whatIsWrong(product, { starts: startsFile(product) })).toEqual([]);
}

test(deep("while the engine lives: it notices, stops what is left, keeps the edits"), async () => {
  await using product = await startProduct();
  const agent = await working(product);
  process.kill(agent.keeper, "SIGKILL");
  const end = await ask(product, ["wait", agent.run]);
  expect(ending(end.run)).toEqual(INTERRUPTED);
  expect(end.run.failure?.remedy).toContain(`tazuna retry ${agent.run.slice(0, 8)}`);
  await expectKeptAndContinued(product, agent, end);
  tally("kill", "while the engine lives", { under: "guard" });
});

test(deep("while no engine runs: the next one notices"), async () => {
  await using product = await startProduct();
  const agent = await working(product);
  await product.killEngine();
  process.kill(agent.keeper, "SIGKILL");
  expect(agent.pids.filter(isAlive)).toEqual([...agent.pids]);
  const end = await ask(product, ["wait", agent.run]);
  expect(ending(end.run)).toEqual(INTERRUPTED);
  await expectKeptAndContinued(product, agent, end);
  tally("kill", "while no engine runs", { under: "guard" });
});

test("together with the engine and with the agent itself: its processes are found (promise 4.4)", async () => {
  await using product = await startProduct();
  const agent = await working(product, MARKED);
  const engine = (await product.enginePid()) ?? 0;
  for (const pid of [engine, agent.keeper, agent.pids[0] ?? 0]) process.kill(pid, "SIGKILL");
  await eventually("the engine to be gone", async () => (await product.enginePid()) === null);
  const end = await ask(product, ["wait", agent.run]);
  expect(ending(end.run)).toEqual(INTERRUPTED);
  await expectKeptAndContinued(product, agent, end);
  tally("kill", "together with the engine and with the agent itself", { under: "guard" });
});

test(
  deep("and a person stops the run before an engine has noticed: it ends once, in either way"),
  async () => {
    await using product = await startProduct();
    const agent = await working(product);
    await product.killEngine();
    process.kill(agent.keeper, "SIGKILL");
    const end = await ask(product, ["stop", agent.run]);
    expect([{ status: "CANCELED", outcome: null }, INTERRUPTED]).toContainEqual(ending(end.run) as never);
    await expectKeptAndContinued(product, agent, end);
    tally("kill", "and the run is stopped by a person before an engine has noticed", { under: "guard" });
  },
);

test(
  deep("a stop request that the engine was killed with is carried out on an agent without a keeper too"),
  async () => {
    await using product = await startProduct();
    const reached = join(dirname(product.home), "reached");
    const env = { TAZUNA_FAILPOINT: `request:stop@${reached}` };
    await product.tazuna(["list"], { env });
    const agent = await working(product);
    process.kill(agent.keeper, "SIGSTOP");
    const stopping = product.start(["stop", agent.run, "--json"], { env });
    await eventually("the request", () => readFile(reached, "utf8").catch(() => null));
    process.kill(agent.keeper, "SIGKILL");
    const end = (await stopping.end).json();
    expect(end.attempts[0]?.runs[0]?.status).toBe("CANCELED");
    await expectKeptAndContinued(product, agent, await ask(product, ["wait", agent.run]));
    tally(
      "kill",
      "a stop request that the engine was killed with is carried out on an agent without a keeper too",
      { under: "guard" },
    );
  },
);

test("if a keeper is killed at once, the agent begins once, or the run says it was interrupted (promise 5.2)", async () => {
  await using product = await startProduct();
  const gate = join(dirname(product.home), "gate");
  await countedAgent(
    product,
    "agent",
    `until [ -e '${gate}' ]; do sleep 0.05; done; echo new > new.txt; echo Done.`,
  );
  const env = { TAZUNA_FAILPOINT: `after:launch@${join(dirname(product.home), "reached")}` };
  const running = product.start(["run", "Change it", "--agent", "agent", "--json"], { env });
  const keeper = await eventually("the keeper", () =>
    processesOf(product.home, []).find(({ command }) => command.includes(" __keep ")),
  );
  process.kill(keeper.pid, "SIGKILL");
  await writeFile(gate, "");
  const last = (await running.end).json().attempts[0]?.runs[0];
  expect(["SUCCEEDED", "FAILED interrupted"]).toContain(
    last?.failure ? `${last.status} ${last.failure.code}` : (last?.status ?? ""),
  );
  const expectedStarts = (_: unknown, began: number) => (last?.failure ? Math.min(1, began) : 1);
  expect(await whatIsWrong(product, { starts: startsFile(product), expectedStarts })).toEqual([]);
  tally("kill", "a keeper that is killed as soon as it is there", { under: "guard" });
});
