/** The value object of an issue's background: what one has to know to solve it (seed 004). */
import type { Result } from "neverthrow";
import { trimmedText } from "./trimmed-text.ts";
import type { ValidationError } from "./validation-error.ts";

declare const brand: unique symbol;

/** Trimmed, not blank, at most 4,000 UTF-16 units; only `createContextText` makes one. */
export type ContextText = string & { readonly [brand]: "ContextText" };

const MOST = 4_000;

export function createContextText(value: unknown): Result<ContextText, ValidationError> {
  return trimmedText(value, { field: "context", most: MOST }).map((text) => text as ContextText);
}
