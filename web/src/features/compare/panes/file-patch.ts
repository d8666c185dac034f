/** Turns the hunks of a patch into lines that know their places in the base and in the result. */
import type { FilePatch, Hunk } from "../../diff/patch/read-patch.ts";

export interface PatchLine {
  readonly kind: "context" | "added" | "removed";
  /** Its line in the base; null for an added one. */
  readonly base: number | null;
  /** Its line in the result; null for a removed one. */
  readonly line: number | null;
  readonly text: string;
  /** The line on the other side that it is compared with word by word. */
  readonly pair: string | null;
  /** Where its colours are: the place of its hunk, its side, and its place there. */
  readonly at: { readonly hunk: number; readonly side: "old" | "new"; readonly index: number };
  /** The pane whose patch it comes from. */
  readonly pane: number;
}

export interface PatchHunk {
  /** Counted from 1, as the composition counts. */
  readonly number: number;
  /** What git found above it, such as a function's name. */
  readonly section: string;
  /** Its first line in the base, and how many of them it has. */
  readonly base: number;
  readonly baseCount: number;
  readonly line: number;
  readonly lines: readonly PatchLine[];
}

export function hunksOf({ hunks }: Pick<FilePatch, "hunks">, pane: number): readonly PatchHunk[] {
  return hunks.map((hunk, index) => {
    // Git names the line before a place at which there is none.
    const base = hunk.oldStart + (hunk.old.length === 0 ? 1 : 0);
    const line = hunk.newStart + (hunk.new.length === 0 ? 1 : 0);
    return {
      number: index + 1,
      section: hunk.within,
      base,
      baseCount: hunk.old.length,
      line,
      lines: linesOf(hunk, { base, line, hunk: index, pane }),
    };
  });
}

function linesOf(
  hunk: Hunk,
  place: { readonly base: number; readonly line: number; readonly hunk: number; readonly pane: number },
): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let [old, fresh] = [0, 0];
  const shared = { pane: place.pane, pair: null } as const;
  const at = (side: "old" | "new", index: number) => ({ hunk: place.hunk, side, index });
  for (const block of hunk.blocks) {
    if (block.kind === "same")
      for (let step = 0; step < block.old; step++)
        lines.push({
          ...shared,
          kind: "context",
          base: place.base + old + step,
          line: place.line + fresh + step,
          text: hunk.new[fresh + step] ?? "",
          at: at("new", fresh + step),
        });
    else {
      for (let step = 0; step < block.old; step++)
        lines.push({
          ...shared,
          kind: "removed",
          base: place.base + old + step,
          line: null,
          text: hunk.old[old + step] ?? "",
          pair: step < block.new ? (hunk.new[fresh + step] ?? null) : null,
          at: at("old", old + step),
        });
      for (let step = 0; step < block.new; step++)
        lines.push({
          ...shared,
          kind: "added",
          base: null,
          line: place.line + fresh + step,
          text: hunk.new[fresh + step] ?? "",
          pair: step < block.old ? (hunk.old[old + step] ?? null) : null,
          at: at("new", fresh + step),
        });
    }
    old += block.old;
    fresh += block.new;
  }
  return lines;
}
