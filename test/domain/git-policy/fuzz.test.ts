import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deep } from "../../helpers/tier.ts";
import { gitCalls } from "./fuzz/calls.ts";
import { Tryer } from "./fuzz/try-call.ts";
import { MOODS, type Mood, makeWorlds } from "./fuzz/worlds.ts";

/** `fuzz/by-hand.ts` runs as many as one likes. */
const TIERS = [
  { maxRuns: 10, mark: (title: string) => title },
  { maxRuns: 60, mark: deep },
];
const TIME_LIMIT_MS = 20_000;
/** On a machine that is busy with others. */
const PATIENCE_MS = 180_000;

describe("what checkGitCommand allows, with real git", () => {
  for (const { maxRuns, mark } of TIERS)
    test(
      mark(
        `loses nothing, runs no planted program and leaves everything outside the workspace alone: ${maxRuns} calls`,
      ),
      async () => {
        await using tryer = new Tryer(await makeWorlds());
        const nothingLost = fc.asyncProperty(fc.constantFrom(...MOODS), gitCalls, async (mood, words) => {
          expect((await tryer.try(mood, words)).losses).toEqual([]);
        });
        // A failure prints its seed and the smallest call that still fails.
        await fc.assert(nothingLost, {
          numRuns: maxRuns,
          interruptAfterTimeLimit: TIME_LIMIT_MS,
          markInterruptAsFailure: false,
        });
      },
      PATIENCE_MS,
    );

  test(
    deep("a loss would be seen: each of these calls, run in spite of the policy, is found out"),
    async () => {
      await using tryer = new Tryer(await makeWorlds());
      const calls: readonly (readonly [Mood, string])[] = [
        ["dirty", "reset --hard"],
        ["dirty", "clean -fdx build"],
        ["dirty", "stash drop"],
        ["dirty", "branch -D quiet"],
        ["dirty", "push origin :newer"],
        ["dirty", "submodule foreach ../run-canary"],
        ["dirty", "log --output=../outside/x"],
        ["dirty", "show --output=new -1"],
        ["dirty", "reflog expire --expire=now --all"],
        ["merging", "merge --abort"],
        ["clean", "merge tracks"],
        ["clean", "cherry-pick tracks"],
        ["clean", "rebase tracks"],
        ["clean", "pull --no-rebase origin tracks"],
        ["clean", "stash apply stash@{2}"],
      ];
      const unseen: string[] = [];
      for (const [mood, line] of calls) {
        const { losses } = await tryer.tryAnyway(mood, line.split(" "));
        if (losses.length === 0) unseen.push(`${mood}: ${line}`);
      }
      expect(unseen).toEqual([]);
    },
    PATIENCE_MS,
  );
});
