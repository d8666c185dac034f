/** Tells that the work of other people is never touched, whatever they do at whichever step, and also if an engine dies there. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { type ForgeWorld, forgeWorld } from "../helpers/forge-world.ts";
import { PATIENCE_MS, usersSide } from "../helpers/journey.ts";
import { deep, SEED } from "../helpers/tier.ts";
import { ACTS } from "./colleague/acts.ts";
import { lostCommits, wrongChanges, wrongPushes } from "./colleague/oracle.ts";
import { type Cell, deathsOf, STEP_NAMES, walk } from "./colleague/walk.ts";
import { createRandom } from "./crash/random.ts";

setDefaultTimeout(10 * PATIENCE_MS);

/**
 * Every act in front of every step that leaves room for it, shuffled; in every second cell, an engine dies at that
 * moment.
 */
function cells(seed: number): readonly Cell[] {
  const { below, of } = createRandom(seed);
  const all = STEP_NAMES.flatMap((step) =>
    Object.entries(ACTS)
      .filter(([, { onPull }]) => !onPull || step === "continue" || step === "merge")
      .map(([act, { onPull }]) => {
        // An act on an open pull request needs one: not after it was merged.
        const deaths = deathsOf(step).filter((place) => !onPull || place !== "after:merge_on_forge");
        return { step, act, dies: below(2) === 0 ? null : (of(deaths) ?? null) };
      }),
  );
  return all
    .map((cell) => ({ cell, at: below(2 ** 31) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ cell }) => cell);
}

/** What is of other people and has nothing to do with the cell. A pull request that got another base is merged into that. */
async function bystanders({ product, bare }: ForgeWorld, { act }: Cell): Promise<string> {
  const bases = act === "gives it another base" ? [] : ["refs/heads/release"];
  return product.sandbox.git(bare, ["for-each-ref", "refs/heads/theirs", "refs/tags", ...bases]);
}

async function holdsFor(some: readonly Cell[]): Promise<void> {
  await using world = await forgeWorld();
  const { product, bare } = world;
  for (const name of ["release", "theirs"]) await product.sandbox.git(bare, ["branch", name, "main"]);
  await product.sandbox.git(bare, ["tag", "v1", "main"]);
  await product.agent(
    "editor",
    'echo "$TAZUNA_RUN" >> "$TAZUNA_ATTEMPT.txt"; echo "$TAZUNA_RUN" >> hello.txt',
  );
  const branches: string[] = [];
  const { files } = await usersSide(product);
  for (const cell of some) {
    const before = await bystanders(world, cell);
    const { attempt, refusals, fallen } = await walk(world, cell);
    branches.push(attempt.branch);
    const said = refusals.filter(({ code, remedy }) => code === "internal" || !remedy.includes("`"));
    expect({
      cell,
      refusals,
      fallen,
      said,
      pushes: await wrongPushes(world, branches),
      changes: wrongChanges(world, branches),
      lost: await lostCommits(world, attempt),
      bystanders: await bystanders(world, cell),
    }).toEqual({
      cell,
      refusals,
      fallen: [],
      said: [],
      pushes: [],
      changes: [],
      lost: [],
      bystanders: before,
    });
  }
  expect((await usersSide(product, { ours: branches })).files).toEqual(files);
}

/** How many cells the deep tests play. */
const CELLS = Number(process.env.TAZUNA_COLLEAGUE_CELLS ?? 6);

test(deep("a colleague acts at one step"), () => holdsFor(cells(1).slice(0, 1)));

test(deep(`a colleague acts at other steps, and engines die there (TAZUNA_CRASH_SEED=${SEED})`), () =>
  holdsFor(cells(SEED).slice(0, CELLS)),
);
