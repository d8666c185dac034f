/** Describes what one kind of secret looks like, as a row of the one list. */

export interface SecretShape {
  /** Its name, in words that a finding can show. */
  readonly name: string;
  /** The shape begins with one of these; at least three characters each, since the first pass looks for three. */
  readonly starts: readonly string[];
  /**
   * The whole, from `before` the start on. The group `secret` is the part to hide; without that group, all of it is.
   * `candidate` or `rest` is the random part.
   */
  readonly pattern: RegExp;
  /** Characters of the whole that come before the start. */
  readonly before: number;
  /** Whether the case of the start does not matter. */
  readonly anyCase: boolean;
  /** Whether it counts only if no letter, digit, `_` or `-` precedes it. */
  readonly wordStart: boolean;
  readonly readers: Readers;
  /** Whether `isReal` is asked for the redactor too, since the pattern alone also fits harmless text. */
  readonly isAmbiguous: boolean;
  /**
   * Whether it is known by the text around it. Then another shape may lie in it, and in binary content it says
   * nothing.
   */
  readonly isContext: boolean;
  /** False for placeholders, fixtures, public halves and examples. */
  readonly isReal: (candidate: string, found: FoundShape) => boolean;
}

export interface FoundShape {
  readonly match: RegExpMatchArray;
  /** The text that it was found in. */
  readonly text: string;
  readonly at: number;
  /** The path of the file; empty if it is not a file. */
  readonly path: string;
}

/** At most so many characters before this place. */
export function textBefore(text: string, at: number, length: number): string {
  return text.slice(Math.max(0, at - length), at);
}

/** The searches that use a row. If only one does, `why` gives the reason. */
export interface Readers {
  readonly gate: boolean;
  readonly redactor: boolean;
  readonly why: string;
}

export const BOTH: Readers = { gate: true, redactor: true, why: "" };

export const GATE: Readers = {
  gate: true,
  redactor: false,
  why: "What agents print is full of text of this form; only a look at the value tells.",
};

export type ShapeOptions = Partial<
  Pick<SecretShape, "before" | "anyCase" | "wordStart" | "readers" | "isAmbiguous" | "isContext" | "isReal">
>;

/** Letters and digits; the same with `_` and `-`; hexadecimal digits; base64; an identifier. */
export const ALNUM = "[A-Za-z0-9]";
export const WORD = "[A-Za-z0-9_-]";
export const HEX = "[a-f0-9]";
export const BASE64 = "[A-Za-z0-9+/]";
export const UUID = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";
