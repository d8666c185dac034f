/** Reads the flags that the benchmarks share, and knows the sizes of the scratch repositories. */
import { parseArgs } from "node:util";

export interface Size {
  readonly name: "small" | "medium" | "large";
  readonly files: number;
  /** Rounds that count. */
  readonly rounds: number;
}

const SIZES: readonly Size[] = [
  { name: "small", files: 200, rounds: 15 },
  { name: "medium", files: 9_000, rounds: 9 },
  { name: "large", files: 90_000, rounds: 5 },
];

/** `--small`, `--medium` and `--large` choose (small and medium unless told), `--rounds N` overrides the count. */
export function sizesToMeasure(argv: readonly string[]): readonly Size[] {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      small: { type: "boolean", default: false },
      medium: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      rounds: { type: "string" },
    },
  });
  const named = SIZES.filter(({ name }) => values[name]);
  const chosen = named.length > 0 ? named : SIZES.filter(({ name }) => name !== "large");
  return chosen.map((size) => ({ ...size, rounds: Number(values.rounds ?? size.rounds) }));
}
