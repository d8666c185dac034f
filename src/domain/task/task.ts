/** Describes a task: one issue on one repository from one base (seed 004's words: issue, context, constraints). */
import type { TaskSettings } from "./task-settings.ts";

export type PublishPolicy = "push" | "commit" | "hold";

export interface Task {
  readonly id: string;
  readonly repositoryId: string;
  readonly title: string;
  readonly issue: string;
  readonly context: string | null;
  readonly constraints: string | null;
  /** The base branch that was asked for; null means: find it when the first run is prepared. */
  readonly base: string | null;
  readonly publish: PublishPolicy;
  /** Settings of the creator's environment; they win over every file, for later runs too. */
  readonly settings: TaskSettings;
  readonly createdAt: string;
}
