/** Keeps the end of what a program prints, without secrets, in bounded memory. */
import { createRedactor } from "../../domain/agent/redact.ts";

export interface Tail {
  push(text: string): void;
  /** At most as many characters as asked for. */
  text(): string;
}

/** Longest secret of which the beginning may have been dropped. */
const LONGEST_SECRET = 4096;

/** Redacted as a whole, so that it does not matter how a secret came in pieces. */
export function createTail({
  chars,
  values,
}: {
  readonly chars: number;
  readonly values: readonly string[];
}): Tail {
  const redactor = createRedactor({ values });
  let kept = "";
  let isCut = false;
  return {
    push: (text) => {
      const all = kept + text;
      kept = all.slice(-2 * (chars + LONGEST_SECRET));
      isCut ||= kept.length < all.length;
    },
    // The end of a secret has no shape any more: where the beginning is gone, so is what could be one.
    text: () =>
      redactor
        .text(kept)
        .slice(isCut ? LONGEST_SECRET : 0)
        .slice(-chars),
  };
}
