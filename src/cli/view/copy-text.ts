/** Says what of an attempt lies in the depot, and whether its last edits lie on one disk only. */
import type { AttemptDocument } from "../../contract/task-document.ts";
import { cleanLine, shellWord } from "../../contract/text.ts";

/** Stands behind the state in lists. An older engine does not say. */
export function besideCopy({ depot }: Pick<AttemptDocument, "depot">): string {
  return depot?.unprotected_since ? ", unprotected" : "";
}

/** Workers that came back with edits that the attempt does not have. */
export function cameBackLines({
  id,
  came_back,
}: Pick<AttemptDocument, "id" | "came_back">): readonly (readonly [string, string])[] {
  return (came_back ?? []).map(({ worker, files, ready, not_contained: lacks }) => {
    const name = cleanLine(worker.name);
    const edited = files === 1 ? "1 file" : `${files} files`;
    const without = lacks.length === 0 ? "" : `; no copy holds ${lacks.map(cleanLine).join(", ")}`;
    const how = ready
      ? `: \`tazuna diff ${id.slice(0, 8)} --from ${shellWord(worker.name)}\``
      : "; not in the depot yet";
    return ["Came back", `${name}, with ${edited} edited after the copy${without}${how}`];
  });
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
