/** Lists what a call compares: whatever it writes is among the differences. */
import type { Incoming } from "../../../domain/git-policy/incoming.ts";
import type { Asked, Comparisons } from "./asked.ts";
import { bisectComparisons } from "./bisected.ts";
import { mergeComparisons, pullComparisons } from "./merged.ts";
import { pickComparisons, rebaseComparisons, stashComparisons } from "./replayed.ts";
import { stepComparisons } from "./steps.ts";

export async function comparisonsOf(incoming: Incoming, asked: Asked): Promise<Comparisons> {
  switch (incoming.kind) {
    case "merge":
      return mergeComparisons(incoming.heads, asked);
    case "pull":
      return pullComparisons(incoming, asked);
    case "pick":
    case "revert":
      return pickComparisons(incoming, asked);
    case "rebase":
      return rebaseComparisons(incoming, asked);
    case "stash":
      return stashComparisons(incoming, asked);
    case "bisect":
      return bisectComparisons(incoming, asked);
    case "continue":
      return stepComparisons(asked);
    case "patches":
      return [];
    case "anywhere":
      return null;
  }
}
