/** Describes the result of a run's preparation. */
import type { AttemptChange } from "../../../storage/tables/attempts.ts";
import type { Step } from "../../run-core/step.ts";

/** What to store before the agent starts. */
export interface Prepared {
  readonly notes: Step["notes"];
  /** The change to store with the attempt when its first agent starts. */
  readonly attempt?: AttemptChange;
  readonly gitDir: string;
  /** The commit at which the worktree was just made, if it holds nothing else; null if git must be asked. */
  readonly cleanAt: string | null;
}
