/** Says in a sentence where a pull request stands on its way into its base. */
import type { Tracked } from "./tracked.ts";

type Standing = Pick<Tracked, "number" | "state" | "draft" | "mergeable" | "mergeBlock" | "baseBranch">;

export function mergeWords({ number, state, draft, mergeable, mergeBlock, baseBranch }: Standing): string {
  if (number === null || state === null) return "It is still to be made there.";
  if (state === "merged") return `It is merged into ${baseBranch}.`;
  if (state === "closed") return "It was closed without a merge.";
  if (draft) return "It is a draft.";
  if (mergeBlock !== null) return `It cannot be merged now: ${mergeBlock}.`;
  if (mergeable === false) return `It cannot be merged now: it conflicts with ${baseBranch}.`;
  return mergeable === null
    ? "The forge still finds out whether it can be merged."
    : `It can be merged into ${baseBranch}.`;
}
