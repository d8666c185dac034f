/** Tries many generated calls by hand: `bun test/domain/git-policy/fuzz/by-hand.ts [RUNS] [SEED]`; prints every loss. */
import fc from "fast-check";
import { gitCalls } from "./calls.ts";
import { Tryer } from "./try-call.ts";
import { MOODS, makeWorlds } from "./worlds.ts";

const runs = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
await using tryer = new Tryer(await makeWorlds());
const counts = { refused: 0, failed: 0, succeeded: 0, lost: 0 };
const began = Date.now();
for (const [mood, words] of fc.sample(fc.tuple(fc.constantFrom(...MOODS), gitCalls), {
  numRuns: runs,
  seed,
})) {
  const { exitCode, losses } = await tryer.try(mood, words);
  if (exitCode === null) counts.refused += 1;
  else if (exitCode === 0) counts.succeeded += 1;
  else counts.failed += 1;
  if (losses.length === 0) continue;
  counts.lost += 1;
  console.log(mood, JSON.stringify(words), exitCode, losses.slice(0, 4));
}
console.log({ seed, ...counts, seconds: Math.round((Date.now() - began) / 1000) });
