/** Finds unresolved conflict markers: the three (or four) lines that git writes, in their order. */

export interface Conflict {
  /** The line of the opening marker, from 1. */
  readonly line: number;
  /** The two markers that name the sides. */
  readonly sides: string;
}

/** Those of `found` that the older texts do not have: a document that explained markers before may keep them. */
export function newConflicts(
  found: readonly Conflict[],
  older: readonly (readonly Conflict[])[],
): readonly Conflict[] {
  const known = Map.groupBy(older.flat(), ({ sides }) => sides);
  return found.filter(({ sides }) => known.get(sides)?.pop() === undefined);
}

/** In the order of the text. A heading that is underlined with equal signs is not a marker. */
export function conflictsOf(text: string): readonly Conflict[] {
  if (!text.includes("<<<<<<<")) return [];
  const found: Conflict[] = [];
  let open: { readonly line: number; readonly marker: string; divided: boolean } | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^<{7}(?: |$)/.test(line)) open = { line: index + 1, marker: line, divided: false };
    else if (open !== null && line === "=======") open.divided = true;
    else if (open?.divided && /^>{7}(?: |$)/.test(line)) {
      found.push({ line: open.line, sides: `${open.marker}\n${line}` });
      open = null;
    }
  }
  return found;
}
