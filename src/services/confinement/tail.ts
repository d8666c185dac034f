/** Keeps the end of what a program prints, without secrets, in bounded memory. */
import { createRedactor } from "../../domain/agent/redact.ts";

interface Tail {
  push(text: string): void;
  /** At most as many characters as asked for. */
  text(): string;
}

/** The longest secret whose beginning may have been dropped. */
const MAX_SECRET_LENGTH = 4096;

/** Redacted as a whole, so that a secret is found even if it came in pieces. */
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
      kept = all.slice(-2 * (chars + MAX_SECRET_LENGTH));
      isCut ||= kept.length < all.length;
    },
    // The end of a secret has no shape. If the beginning is dropped, everything that could be such an end is dropped
    // too.
    text: () =>
      redactor
        .text(kept)
        .slice(isCut ? MAX_SECRET_LENGTH : 0)
        .slice(-chars),
  };
}
