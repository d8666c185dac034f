/** Kills the engine at every place where a crash can part an act from its record, and starts it again. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { usersSide } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { endsOf, STORIES, type Story, startsFile } from "./scenarios.ts";
import { createSlots } from "./slots.ts";
import { STORIES_OF_PEOPLE } from "./stories-of-people.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

/** Cases at once; each has an engine, a keeper and an agent of its own. */
const slots = createSlots(3);
const PATIENCE_MS = 600_000;

const ALL: Readonly<Record<string, Story>> = { ...STORIES, ...STORIES_OF_PEOPLE };
const CASES = Object.entries(ALL).flatMap(([name, { failpoints }]) =>
  failpoints.map((failpoint) => ({ name, failpoint })),
);

for (const { name, failpoint } of drawn(CASES))
  test.concurrent(
    deep(`${name}, killed at ${failpoint} (promise 4.1)`),
    () => slots.run(() => playAndCrash(ALL[name] as Story, failpoint)),
    PATIENCE_MS,
  );

async function playAndCrash(story: Story, failpoint: string): Promise<void> {
  await using product = await startProduct();
  const before = await usersSide(product);
  const reached = join(dirname(product.home), "reached");

  await story.play(product, { TAZUNA_FAILPOINT: `${failpoint}@${reached}` });

  expect(existsSync(reached), `${failpoint} was never reached`).toBe(true);
  expect(endsOf(product)).toEqual([...story.ends]);
  const { expectedStarts } = story;
  const wrong = await whatIsWrong(product, {
    starts: startsFile(product),
    ...(expectedStarts === undefined ? {} : { expectedStarts }),
  });
  expect(wrong).toEqual([]);
  const { attempts, runs } = readDataFolder(product.home);
  expect(attempts.map(({ state }) => state)).toEqual(attempts.map(() => story.attempt ?? "open"));
  expect(runs.at(-1)?.notes ?? []).toEqual(expect.arrayContaining([...(story.notes ?? [])]));
  expect(await usersSide(product, { ours: attempts.map(({ branch }) => branch) })).toEqual(before);
  tally("kill", `the engine at ${failpoint}`, { under: "guard" });
}
