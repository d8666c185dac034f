/** The value object of an issue's title: what is to be solved, in one sentence or so (seed 004). */
import type { Result } from "neverthrow";
import { trimmedText } from "./trimmed-text.ts";
import type { ValidationError } from "./validation-error.ts";

declare const brand: unique symbol;

/** Trimmed, not blank, at most 200 UTF-16 units; only `createIssueText` makes one. */
export type IssueText = string & { readonly [brand]: "IssueText" };

const MOST = 200;

export function createIssueText(value: unknown): Result<IssueText, ValidationError> {
  return trimmedText(value, { field: "issue", most: MOST }).map((text) => text as IssueText);
}
