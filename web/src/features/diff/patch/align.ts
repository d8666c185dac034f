/** Finds which removed and added lines differ by white space alone, and shows those as unchanged. */
import type { Block } from "./read-patch.ts";

/** Above this many comparisons lines are matched by their place alone. */
const MAX_COMPARISONS = 250_000;

export function alignIgnoringSpace(old: readonly string[], fresh: readonly string[]): readonly Block[] {
  const left = old.map(squeezed);
  const right = fresh.map(squeezed);
  const pairs =
    left.length * right.length > MAX_COMPARISONS ? inPlace(left, right) : longestCommon(left, right);
  const blocks: Block[] = [];
  let at = { old: 0, new: 0 };
  for (const [oldAt, newAt] of [...pairs, [left.length, right.length] as const]) {
    const change = { old: oldAt - at.old, new: newAt - at.new };
    if (change.old + change.new > 0) blocks.push({ kind: "change", ...change });
    if (oldAt < left.length) blocks.push({ kind: "same", old: 1, new: 1 });
    at = { old: oldAt + 1, new: newAt + 1 };
  }
  return blocks;
}

type Pair = readonly [number, number];

const squeezed = (line: string) => line.replace(/\s+/g, "");

function inPlace(left: readonly string[], right: readonly string[]): readonly Pair[] {
  return left.flatMap((line, index) => (line === right[index] ? [[index, index] as const] : []));
}

/** The longest common subsequence, as pairs of places in order. */
export function longestCommon(left: readonly string[], right: readonly string[]): readonly Pair[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const pairs: Pair[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
