/** What the page and the worker that colours code say to each other. */
import type { Language } from "./languages.ts";

export interface ColourRequest {
  readonly id: number;
  readonly language: Language;
  readonly texts: readonly string[];
}

/** Length and hue of each piece of a line, in turn. */
export type LineColours = readonly number[];

export interface Coloured {
  readonly id: number;
  /** For each text its lines. */
  readonly lines: readonly (readonly LineColours[])[];
}
