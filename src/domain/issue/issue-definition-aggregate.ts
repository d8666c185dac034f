/** Decides whether what was given defines an issue (seed 004, Domain-Driven Design Alignment). */
import { type Result, Result as Results } from "neverthrow";
import { createConstraintText } from "./constraint-text.ts";
import { createContextText } from "./context-text.ts";
import type { IssueDefinitionCreated } from "./issue-definition.ts";
import { createIssueText } from "./issue-text.ts";
import type { ValidationError } from "./validation-error.ts";

/** Nobody has looked at it yet. */
export interface DefineIssueRequest {
  readonly issue?: unknown;
  readonly context?: unknown;
  readonly constraints?: unknown;
}

export interface ValidationFailed {
  readonly type: "ValidationFailed";
  /** Every field that is wrong, in the order issue, context, constraints; never empty. */
  readonly validationErrors: readonly ValidationError[];
}

export const IssueDefinitionAggregate = { defineIssue } as const;

/** The three texts trimmed, or all that is wrong with them at once. */
function defineIssue(
  { issue, context, constraints }: DefineIssueRequest,
  { createdAt }: { readonly createdAt: Date },
): Result<IssueDefinitionCreated, ValidationFailed> {
  return Results.combineWithAllErrors([
    createIssueText(issue),
    createContextText(context),
    createConstraintText(constraints),
  ])
    .map(([issue, context, constraints]) => ({ issue, context, constraints, createdAt }))
    .mapErr((validationErrors) => ({ type: "ValidationFailed", validationErrors }));
}
