/** Describes an issue that was defined: what is to be solved, its background, its constraints, and since when (seed 004). */
import type { ConstraintText } from "./constraint-text.ts";
import type { ContextText } from "./context-text.ts";
import type { IssueText } from "./issue-text.ts";

/** As it is read. That of a task keeps to the task's own limits: background and constraints may be empty there. */
export interface IssueDefinition {
  readonly issue: string;
  readonly context: string;
  readonly constraints: string;
  readonly createdAt: Date;
}

/** One that was checked and may be kept. */
export interface IssueDefinitionCreated extends IssueDefinition {
  readonly issue: IssueText;
  readonly context: ContextText;
  readonly constraints: ConstraintText;
}
