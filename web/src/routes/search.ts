/** What each screen keeps in its address. Anything else there is dropped. */

import { COLUMNS, type Column } from "@contract/words/present-card.ts";
import type { CompareSearch } from "../features/compare/compare-search.ts";
import type { ReviewSearch } from "../features/review/review-search.ts";

type Given = Readonly<Record<string, unknown>>;

/** The text of a field, if there is any. */
function text<Name extends string>(given: Given, name: Name): { readonly [Key in Name]?: string } {
  const value = given[name];
  const isText = (typeof value === "string" && value !== "") || typeof value === "number";
  return (isText ? { [name]: String(value) } : {}) as { readonly [Key in Name]?: string };
}

function oneOf<Name extends string, const Value extends string>(
  given: Given,
  name: Name,
  values: readonly Value[],
): { readonly [Key in Name]?: Value } {
  // The router reads a number from `1`.
  const value = values.find((each) => each === String(given[name]));
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

export interface FleetSearch {
  readonly view?: "table";
  /** The column that a small screen shows, or the one that gets the focus. */
  readonly column?: Column;
  /** Words that a task, its agent or its state must hold. */
  readonly q?: string;
  /** The id of a repository. */
  readonly repository?: string;
}

export const fleetSearch = (given: Given): FleetSearch => ({
  ...oneOf(given, "view", ["table"]),
  ...oneOf(given, "column", COLUMNS),
  ...text(given, "q"),
  ...text(given, "repository"),
});

interface NewTaskSearch {
  /** The id of the repository that the task begins with. */
  readonly repository?: string;
}
export const newTaskSearch = (given: Given): NewTaskSearch => text(given, "repository");

export const compareSearch = (given: Given): CompareSearch => ({
  ...text(given, "file"),
  ...oneOf(given, "against", ["other"]),
  ...text(given, "pair"),
  ...oneOf(given, "names", ["hidden"]),
  ...oneOf(given, "files", ["differ"]),
  ...text(given, "attempt"),
  ...oneOf(given, "take", ["1"]),
  ...oneOf(given, "mode", ["split", "unified"]),
  ...oneOf(given, "space", ["hidden"]),
  ...oneOf(given, "only", ["files", "diffs"]),
});

export interface AttemptSearch {
  /**
   * Whose diff is shown: the id of a run, `since` the person's last look, or the `whole` attempt; absent: the run that
   * works, else the whole.
   */
  readonly run?: string;
  readonly file?: string;
  readonly mode?: "split";
  readonly talk?: "talk" | "raw";
  /** What a small screen shows. */
  readonly tab?: "changes" | "facts";
  /** The box gets the focus. */
  readonly write?: "1";
  /** The dialog that asks another agent for a review is open. */
  readonly ask?: "review";
}
export const attemptSearch = (given: Given): AttemptSearch => ({
  ...text(given, "run"),
  ...text(given, "file"),
  ...oneOf(given, "mode", ["split"]),
  ...oneOf(given, "talk", ["talk", "raw"]),
  ...oneOf(given, "tab", ["changes", "facts"]),
  ...oneOf(given, "write", ["1"]),
  ...oneOf(given, "ask", ["review"]),
});

export const reviewSearch = (given: Given): ReviewSearch => ({
  ...text(given, "since"),
  ...text(given, "run"),
  ...text(given, "file"),
  ...text(given, "line"),
  ...oneOf(given, "mode", ["split"]),
  ...oneOf(given, "space", ["hidden"]),
});

export interface ActivitySearch {
  /** Only operations on this repository, task, attempt or run. */
  readonly subject?: string;
  /** A kind of operation, or a group of kinds. */
  readonly kind?: string;
  /** The id of a repository. */
  readonly repository?: string;
  readonly failed?: "1";
  readonly undoable?: "1";
  /** Words that an operation must hold. */
  readonly q?: string;
  /** The one whose details are shown. */
  readonly operation?: string;
}
export const activitySearch = (given: Given): ActivitySearch => ({
  ...text(given, "subject"),
  ...text(given, "kind"),
  ...text(given, "repository"),
  ...oneOf(given, "failed", ["1"]),
  ...oneOf(given, "undoable", ["1"]),
  ...text(given, "q"),
  ...text(given, "operation"),
});

interface StorageSearch {
  readonly view?: "trash";
  readonly q?: string;
}
export const storageSearch = (given: Given): StorageSearch => ({
  ...oneOf(given, "view", ["trash"]),
  ...text(given, "q"),
});
