/** Decides whether the input defines an issue (seed 004 Domain-Driven Design Alignment). */
import { type Result, Result as Results } from "neverthrow";
import type { IssueDefinitionCreated } from "./issue-definition.ts";
import {
  createConstraintText,
  createContextText,
  createIssueText,
  type ValidationError,
} from "./issue-texts.ts";

/** The input; it is not checked yet. */
interface DefineIssueRequest {
  readonly issue?: unknown;
  readonly context?: unknown;
  readonly constraints?: unknown;
}

export interface ValidationFailed {
  readonly type: "ValidationFailed";
  /** Every wrong field, in the order issue, context, constraints; never empty. */
  readonly validationErrors: readonly ValidationError[];
}

export const IssueDefinitionAggregate = { defineIssue } as const;

/** The three texts trimmed, or all their faults at once. */
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
