/** Makes rows of the list: of tokens, which begin alike, and of what is known by the text around it. */

import { isFake } from "./fake-values.ts";
import { isRealPassword } from "./judge-value.ts";
import { looksGenerated } from "./randomness.ts";
import { BOTH, GATE, type SecretShape, type ShapeOptions } from "./shape.ts";

/** If a longer word goes on here, it is something else. */
const END = "(?![A-Za-z0-9])";

/**
 * `starts` are separated by spaces. `rest` is the source of a pattern for the text after the start. If `before` is
 * set, it is for the whole.
 */
export function token(name: string, starts: string, rest: string, options: ShapeOptions = {}): SecretShape {
  const all = starts.split(" ");
  const source = () =>
    (options.before ?? 0) > 0 ? rest : `(?:${all.map(escaped).join("|")})(?<rest>${rest})`;
  return row(name, all, {
    pattern: () => new RegExp(source() + END, options.anyCase ? "iy" : "y"),
    options: { wordStart: all.some((start) => /^[A-Za-z0-9]+$/.test(start)), ...options },
  });
}

/** The options that a row does not name are false. Its pattern is made when a text has its start: few are met. */
function row(
  name: string,
  starts: readonly string[],
  { pattern, options }: { readonly pattern: () => RegExp; readonly options: ShapeOptions },
): SecretShape {
  let made: RegExp | null = null;
  return {
    before: 0,
    anyCase: false,
    wordStart: false,
    readers: BOTH,
    isAmbiguous: false,
    isContext: false,
    isReal: (candidate) => !isFake(candidate),
    ...options,
    name,
    starts,
    get pattern() {
      made ??= pattern();
      return made;
    },
  };
}

/** Options that many rows share. It counts only as a whole word. */
export const WHOLE = { wordStart: true } as const satisfies ShapeOptions;
/** Its form also fits harmless text, so the redactor judges the value too. */
export const AMBIGUOUS = { isAmbiguous: true } as const satisfies ShapeOptions;
export const AMBIGUOUS_WHOLE = { ...WHOLE, ...AMBIGUOUS } as const satisfies ShapeOptions;

/**
 * Makes rows of a table: one line each, with name, starts and rest (as of `token`) between bars. The options hold for
 * all of them. Backslashes stand as in a pattern.
 */
export function tokens(options: ShapeOptions = {}) {
  return (strings: TemplateStringsArray, ...parts: readonly string[]): readonly SecretShape[] =>
    String.raw(strings, ...parts)
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", starts = "", ...rest] = line.split(" | ").map((cell) => cell.trim());
        return token(name, starts, rest.join(" | "), options);
      });
}

/** For a start that words begin with too. */
export function isGenerated(candidate: string): boolean {
  return looksGenerated(candidate) && !isFake(candidate);
}

/** For a start that names and words have too. */
export const GENERATED = { ...AMBIGUOUS_WHOLE, isReal: isGenerated } as const satisfies ShapeOptions;

/** A password that only a look at the value tells. */
export const GATE_PASSWORD = { readers: GATE, isReal: isRealPassword } as const satisfies ShapeOptions;

/** A secret that is known by the text around it. `starts` are in lower case, and the pattern has the group `secret`. */
export function context(name: string, starts: string, pattern: string, options?: ShapeOptions): SecretShape {
  return row(name, starts.split("|"), {
    pattern: () => new RegExp(pattern, "iyd"),
    options: { anyCase: true, isContext: true, ...options },
  });
}

/** The source of a pattern that matches just this text. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Letters and digits that may follow a start. */
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The same start with each of these characters after it. */
export function startsWith(start: string, each: string): string {
  return [...each].map((one) => start + one).join(" ");
}
