/** Makes a row of the list of token shapes: a fixed start, and the pattern after it. */
import { isMadeUp } from "./made-up.ts";
import { looksGenerated } from "./randomness.ts";
import { BOTH, type SecretShape, type ShapeOptions } from "./shape.ts";

/** If a longer word goes on here, it is something else. */
const END = "(?![A-Za-z0-9])";

/**
 * `starts` are separated by spaces. `rest` is the source of a pattern for the text after the start. If `before` is
 * set, it is for the whole.
 */
export function token(name: string, starts: string, rest: string, options: ShapeOptions = {}): SecretShape {
  const all = starts.split(" ");
  const before = options.before ?? 0;
  const source = () => (before > 0 ? rest : `(?:${all.map(escaped).join("|")})(?<rest>${rest})`);
  const pattern = once(() => new RegExp(source() + END, options.anyCase ? "iy" : "y"));
  return {
    name,
    starts: all,
    get pattern() {
      return pattern();
    },
    before,
    anyCase: options.anyCase ?? false,
    wordStart: options.wordStart ?? all.some((start) => /^[A-Za-z0-9]+$/.test(start)),
    readers: options.readers ?? BOTH,
    isAmbiguous: options.isAmbiguous ?? false,
    isContext: false,
    isReal: options.isReal ?? ((own) => !isMadeUp(own)),
  };
}

/** For a start that words begin with too. */
export function isGenerated(own: string): boolean {
  return looksGenerated(own) && !isMadeUp(own);
}

/** A secret that is known by the text around it. `starts` are in lower case, and the pattern has the group `secret`. */
export function context(
  name: string,
  starts: string,
  pattern: string,
  options: ShapeOptions & Pick<SecretShape, "isReal">,
): SecretShape {
  const compiled = once(() => new RegExp(pattern, "iyd"));
  return {
    name,
    starts: starts.split("|"),
    get pattern() {
      return compiled();
    },
    before: 0,
    anyCase: true,
    wordStart: options.wordStart ?? false,
    readers: options.readers ?? BOTH,
    isAmbiguous: options.isAmbiguous ?? false,
    isContext: options.isContext ?? true,
    isReal: options.isReal,
  };
}

/** Most processes meet few of the thousand rows, so a pattern is made when a text has its start. */
function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Letters and digits that may follow a start. */
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The same start with each of these characters after it. */
export function startsWith(start: string, each: string): string {
  return [...each].map((one) => start + one).join(" ");
}
