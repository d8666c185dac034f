/** Makes the texts of an issue: present, a string, not blank, not too long (seed 004 Domain-Driven Design Alignment). */
import { err, ok, type Result } from "neverthrow";

declare const brand: unique symbol;

/** The problem, in about one sentence. Only `createIssueText` makes one. */
export type IssueText = string & { readonly [brand]: "IssueText" };

/** The background for a solution. Only `createContextText` makes one. */
export type ContextText = string & { readonly [brand]: "ContextText" };

/** The limits of a solution. Only `createConstraintText` makes one. */
export type ConstraintText = string & { readonly [brand]: "ConstraintText" };

/** Lengths in UTF-16 units. */
const LIMITS = { issue: 200, context: 4_000, constraints: 4_000 } as const;

type IssueField = keyof typeof LIMITS;

/** `message` is a clause for people that follows the name of the field: `must not be blank`. */
export type ValidationError = {
  readonly field: IssueField;
  readonly message: string;
} & (
  | { readonly type: "required" }
  | { readonly type: "invalid_type" }
  /** Blank after trimming. */
  | { readonly type: "too_short" }
  /** Lengths in UTF-16 units, after trimming. */
  | { readonly type: "too_long"; readonly most: number; readonly actual: number }
);

/** Trimmed, not blank, at most 200 UTF-16 units. */
export function createIssueText(value: unknown): Result<IssueText, ValidationError> {
  return trimmedText(value, "issue").map((text) => text as IssueText);
}

/** Trimmed, not blank, at most 4,000 UTF-16 units. */
export function createContextText(value: unknown): Result<ContextText, ValidationError> {
  return trimmedText(value, "context").map((text) => text as ContextText);
}

/** Trimmed, not blank, at most 4,000 UTF-16 units. */
export function createConstraintText(value: unknown): Result<ConstraintText, ValidationError> {
  return trimmedText(value, "constraints").map((text) => text as ConstraintText);
}

/** A character is a UTF-16 unit (`String.length`), as everywhere in the product: an emoji counts two. */
function trimmedText(value: unknown, field: IssueField): Result<string, ValidationError> {
  if (value === undefined || value === null) return err({ type: "required", field, message: "is required" });
  if (typeof value !== "string") return err({ type: "invalid_type", field, message: "must be text" });
  const text = value.trim();
  if (text === "") return err({ type: "too_short", field, message: "must not be blank" });
  const actual = text.length;
  const most = LIMITS[field];
  if (actual <= most) return ok(text);
  const message = `must have at most ${most} characters, and has ${actual}`;
  return err({ type: "too_long", field, message, most, actual });
}
