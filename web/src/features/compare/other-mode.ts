/** Says which layout of the lines comes when a person asks for the other one. */
import type { CompareSearch } from "./compare-search.ts";

/** The panes become the focused attempt alone, side by side with its base; a pair becomes one column. */
export function otherMode({ against, mode }: CompareSearch): "split" | "unified" | undefined {
  if (mode !== undefined) return undefined;
  return against === "other" ? "unified" : "split";
}
