/** Kills keeper, engine or agent while the engine stands at each failpoint at which there is a keeper. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS, usersSide } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { readDataFolder, type StoredRun } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { holdAt } from "./held.ts";
import { processesOf } from "./processes.ts";
import { countedAgent, endsOf, STORIES, type Story, startsFile } from "./scenarios.ts";
import { createSlots } from "./slots.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS * 3);

const slots = createSlots(3);

/** Where a keeper waits for its order, has just got it, works, or has just ended. */
const PLACES: readonly (readonly [string, readonly string[]])[] = [
  [
    "a plain run",
    [
      "after:worktree_add",
      "move:start_agent",
      "moved:start_agent",
      "before:launch",
      "after:launch",
      "move:agent_ended",
    ],
  ],
  ["a run that is stopped", ["request:stop", "move:cancel"]],
  ["an attempt that is cancelled while its agent works", ["request:cancel", "move:cancel"]],
  ["a run that waits for a rate limit", ["move:wait", "moved:resume"]],
];
const VICTIMS = ["the keeper", "the engine and the keeper", "the engine, the keeper and the agent"] as const;
type Victims = (typeof VICTIMS)[number];

const CASES = PLACES.flatMap(([name, failpoints]) =>
  failpoints.flatMap((failpoint) => VICTIMS.map((victims) => ({ name, failpoint, victims }))),
);

for (const { name, failpoint, victims } of drawn(CASES))
  test.concurrent(deep(`${name}: ${victims} killed at ${failpoint}`), () =>
    slots.run(() => killThere(STORIES[name] as Story, { failpoint, victims })),
  );

async function killThere(
  story: Story,
  { failpoint, victims }: { readonly failpoint: string; readonly victims: Victims },
): Promise<void> {
  await using product = await startProduct();
  const before = await usersSide(product);
  const held = holdAt(product, failpoint);
  const playing = story.play(product, held.env);
  const engine = await held.stands();
  for (const pid of toKill(product, victims, engine)) kill(pid);
  if (victims === "the keeper") process.kill(engine, "SIGCONT");
  else kill(engine);
  await playing;

  const [ends] = [endsOf(product)];
  expect([...story.ends, "FAILED interrupted"]).toContain(ends[0] ?? "none");
  const once = story.expectedStarts?.({} as StoredRun) ?? 1;
  const expectedStarts = (_: StoredRun, began: number) =>
    ends[0] === story.ends[0] && ends[0] !== "CANCELED -" ? once : Math.min(once, began);
  expect(await whatIsWrong(product, { starts: startsFile(product), expectedStarts })).toEqual([]);
  const { attempts } = readDataFolder(product.home);
  expect(await usersSide(product, { ours: attempts.map(({ branch }) => branch) })).toEqual(before);
  tally("kill", `${victims} at ${failpoint}`, { under: "guard" });
}

/** All processes of the data folder but the engine, or the keepers among them. */
function toKill(product: Product, victims: Victims, engine: number): number[] {
  const runs = readDataFolder(product.home).runs.map(({ id }) => id);
  return processesOf(product.home, runs)
    .filter(({ pid, command }) => pid !== engine && !command.includes("bin/tazuna") && !isCommand(command))
    .filter(({ command }) => command.includes(" __keep ") || victims === VICTIMS[2])
    .map(({ pid }) => pid);
}

/** What the test itself has asked for. */
function isCommand(command: string): boolean {
  return / (?:run|list|show|wait|stop|cancel)\b.* --json$/.test(command);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

test(
  deep("a keeper that is killed as it gets its order is replaced, and the agent starts once"),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", "echo new > new.txt; echo Done.");
    const held = holdAt(product, "before:launch");
    const running = product.start(["run", "Change it", "--agent", "agent", "--json"], { env: held.env });
    const engine = await held.stands();
    const keeper = processesOf(product.home, []).find(({ command }) => command.includes(" __keep "));
    process.kill(keeper?.pid ?? 0, "SIGSTOP");
    process.kill(engine, "SIGCONT");
    // The order is written by then: the start of the agent is recorded after it.
    const run = readDataFolder(product.home).runs[0]?.id ?? "none";
    await eventually("the order", () =>
      readFile(join(product.home, "runs", run, "spec.json"), "utf8").catch(() => null),
    );
    await eventually(
      "the engine to follow",
      () => readDataFolder(product.home).runs[0]?.agentStarted ?? false,
    );
    kill(keeper?.pid ?? 0);
    const killedAt = performance.now();
    const last = (await running.end).json().attempts[0]?.runs[0];
    expect(performance.now() - killedAt).toBeLessThan(30_000);
    expect(last?.outcome).toBe("pushed");
    expect(await whatIsWrong(product, { starts: startsFile(product) })).toEqual([]);
    tally("kill", "the keeper in the instant it gets its order", { under: "guard" });
  },
);
