/** Describes a task: one issue on one repository from one base (seed 004's words: issue, context, constraints). */

import type { TaskSettings } from "../configuration/task-settings.ts";

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
  /** What the environment of whoever created it sets; over every file, for its later runs too. */
  readonly settings: TaskSettings;
  readonly createdAt: string;
}
