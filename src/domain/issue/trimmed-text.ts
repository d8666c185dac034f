/** Turns what was given for one part of an issue into its text: there, a string, not blank, not too long. */
import { err, ok, type Result } from "neverthrow";
import type { IssueField, ValidationError } from "./validation-error.ts";

/**
 * The text without white space at its ends. `most` counts UTF-16 units (`String.length`), which is what a character is
 * everywhere in the product: an emoji counts two.
 */
export function trimmedText(
  value: unknown,
  { field, most }: { readonly field: IssueField; readonly most: number },
): Result<string, ValidationError> {
  if (value === undefined || value === null) return err({ type: "required", field, message: "is required" });
  if (typeof value !== "string") return err({ type: "invalid_type", field, message: "must be text" });
  const text = value.trim();
  if (text === "") return err({ type: "too_short", field, message: "must not be blank" });
  const actual = text.length;
  if (actual <= most) return ok(text);
  const message = `must have at most ${most} characters, and has ${actual}`;
  return err({ type: "too_long", field, message, most, actual });
}
