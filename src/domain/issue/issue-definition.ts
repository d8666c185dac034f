/** Describes a defined issue: the problem, its background, its constraints, and its date (seed 004). */
import type { ConstraintText, ContextText, IssueText } from "./issue-texts.ts";

/** As it is read. A task has limits of its own: there, background and constraints may be empty. */
export interface IssueDefinition {
  readonly issue: string;
  readonly context: string;
  readonly constraints: string;
  readonly createdAt: Date;
}

/** An issue that was checked and may be stored. */
export interface IssueDefinitionCreated extends IssueDefinition {
  readonly issue: IssueText;
  readonly context: ContextText;
  readonly constraints: ConstraintText;
}
