/** Describes what the preparation of a run came to. */
import type { Step } from "./step.ts";

/** What is to be stored before the agent starts, or the step that ends the run. */
export type Prepared =
  | {
      readonly done: true;
      readonly notes: Step["notes"];
      readonly gitDir: string;
      /** The commit that the worktree was just made at, where it holds nothing else; null where that is to be asked. */
      readonly cleanAt: string | null;
    }
  | { readonly done: false; readonly step: Step };
