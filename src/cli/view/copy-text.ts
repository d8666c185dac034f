/** Says what of an attempt lies in the depot, and whether its last edits lie on one disk only. */
import type { AttemptDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";

/** Stands behind the state in lists. An older engine does not say. */
export function besideCopy({ depot }: Pick<AttemptDocument, "depot">): string {
  return depot?.unprotected_since ? ", unprotected" : "";
}

/** The lines of `show`, by name. */
export function copyLines({
  depot,
}: Pick<AttemptDocument, "depot">): readonly (readonly [string, string | null])[] {
  if (!depot) return [];
  const { protected_at: at, unprotected_since: since, trouble } = depot;
  const why = trouble === null ? "" : `: ${cleanLine(trouble)}`;
  if (since === null) return [["Copied", at ?? `never${why}`]];
  return [
    ["Copied", at],
    ["Unprotected", `since ${since}${why}`],
  ];
}
