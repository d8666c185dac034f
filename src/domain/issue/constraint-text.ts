/** The value object of an issue's constraints: what a solution has to keep to (seed 004). */
import type { Result } from "neverthrow";
import { trimmedText } from "./trimmed-text.ts";
import type { ValidationError } from "./validation-error.ts";

declare const brand: unique symbol;

/** Trimmed, not blank, at most 4,000 UTF-16 units; only `createConstraintText` makes one. */
export type ConstraintText = string & { readonly [brand]: "ConstraintText" };

const MOST = 4_000;

export function createConstraintText(value: unknown): Result<ConstraintText, ValidationError> {
  return trimmedText(value, { field: "constraints", most: MOST }).map((text) => text as ConstraintText);
}
