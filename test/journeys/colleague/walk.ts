/** Walks an attempt from its first push to its clean-up, with one act of a colleague on the way, between steps or in a crash. */
import { dirname, join } from "node:path";
import type { AttemptAlone } from "../../../src/contract/task-document.ts";
import type { ForgeWorld } from "../../helpers/forge-world.ts";
import { ask, exists } from "../../helpers/journey.ts";
import { tally } from "../../helpers/tally.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { acted, type Of, type Stands } from "./acts.ts";

/** What a person types after the first run, and the places at which an engine may die in it. */
const STEPS = [
  { step: "pr", args: (id: string) => ["pr", id], dies: ["pull_request_create"] },
  { step: "continue", args: (id: string) => ["continue", id, "--from-review"], dies: ["commit", "push"] },
  { step: "merge", args: (id: string) => ["merge", id], dies: ["merge_on_forge"] },
  { step: "clean", args: (id: string) => ["clean", id, "--yes"], dies: ["snapshot", "trash"] },
] as const;

export const STEP_NAMES = STEPS.map(({ step }) => step);

export interface Cell {
  /** The act comes in front of this step, or while its engine is dead. */
  readonly step: (typeof STEP_NAMES)[number];
  readonly act: string;
  /** The failpoint; null if nothing is killed. */
  readonly dies: string | null;
}

export interface Walked {
  readonly cell: Cell;
  readonly attempt: AttemptAlone;
  /** What the commands that did not succeed said. */
  readonly refusals: readonly { readonly code: string; readonly remedy: string }[];
  /** What no longer stands of the colleague's act. */
  readonly fallen: readonly string[];
}

/** The failpoints around the acts of a step. */
export function deathsOf(name: Cell["step"]): readonly string[] {
  const dies = STEPS.find(({ step }) => step === name)?.dies ?? [];
  return dies.flatMap((kind) => [`before:${kind}`, `after:${kind}`]);
}

export async function walk(world: ForgeWorld, cell: Cell): Promise<Walked> {
  const { product, github } = world;
  const { id, branch } = (await ask(product, ["run", "Say hello", "--agent", "editor"])).attempt;
  const refusals: Walked["refusals"][number][] = [];
  let followUps = 0;
  let stands: Stands = async () => [];
  for (const { step, args } of STEPS) {
    const pull = github.pulls.findLast(({ head }) => head === branch) ?? null;
    if (step === "continue") {
      const at = { path: "hello.txt", line: 1, ...(pull === null ? {} : { pull: pull.number }) };
      github.comments.push({ id: 1 + github.comments.length, body: `Why, ${branch}?`, ...at });
    }
    const act = async () => {
      const now = github.pulls.findLast(({ head }) => head === branch) ?? null;
      const of: Of = { world, branch, pull: now, followUps: () => followUps };
      stands = await acted(cell.act, of);
    };
    const isHere = step === cell.step;
    if (isHere && cell.dies === null) await act();
    const end =
      isHere && cell.dies !== null
        ? await whileDead(world, { args: args(id), dies: cell.dies, act })
        : await product.tazuna([...args(id), "--json"]);
    if (step === "continue") followUps += 1;
    if (end.code !== 0) refusals.push(...saidBy(end.json<Said>()));
  }
  const attempt = (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
  return { cell, attempt, refusals, fallen: await stands() };
}

interface Said {
  readonly error?: { readonly code: string; readonly remedy: string };
  readonly attempts?: readonly {
    readonly runs: readonly { readonly failure: { readonly code: string; readonly remedy: string } | null }[];
  }[];
}

function saidBy({ error, attempts = [] }: Said) {
  const failures = attempts.flatMap(({ runs }) => runs.at(-1)?.failure ?? []);
  return [...(error === undefined ? [] : [error]), ...failures].map(({ code, remedy }) => ({ code, remedy }));
}

/** The engine stops at the place, the colleague acts, the engine is killed, and the next one goes on. */
async function whileDead(
  { product }: ForgeWorld,
  {
    args,
    dies,
    act,
  }: { readonly args: readonly string[]; readonly dies: string; readonly act: () => Promise<void> },
) {
  await product.killEngine();
  const reached = join(dirname(product.home), `reached-${crypto.randomUUID()}`);
  const env = { TAZUNA_FAILPOINT: `${dies}@${reached}@SIGSTOP` };
  const asked = product.start([...args, "--json"], { env });
  const isOver = asked.end.then(() => true as const);
  const isThere = await Promise.race([
    isOver.then(() => false),
    waitFor(`an engine at ${dies}`, () => exists(reached), { withinMs: 120_000 }),
  ]);
  await act();
  if (isThere) {
    await product.killEngine();
    tally("kill", `the engine at ${dies} of ${args[0]}, while a colleague acts`, { under: "guard" });
  }
  return asked.end;
}
