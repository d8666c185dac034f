/** Decides what becomes of an unfinished run after a crash, from facts that were gathered first. */
import type { Run } from "./run.ts";

/** What the disk, the process table, git and the remote say about a run; only what its state needs is asked. */
export type RecoveryFacts =
  | { readonly of: "queued" }
  | {
      readonly of: "preparing";
      /** `registered`: git knows the worktree and its branch; `half_made`: only some of it is there. */
      readonly worktree: "none" | "half_made" | "registered";
    }
  | {
      readonly of: "agent";
      /** The keeper left its closing file. */
      readonly exitFile: boolean;
      /** Pid, start time and boot id all match a living process. */
      readonly keeperAlive: boolean;
      /** The keeper was never started (no spec was handed to a process). */
      readonly keeperStarted: boolean;
    }
  | { readonly of: "waiting" }
  | { readonly of: "staging" }
  | {
      readonly of: "committing";
      readonly headParent: string | null;
      /** HEAD's message carries this run's trailer. */
      readonly headIsOurs: boolean;
      readonly head: string | null;
    }
  | { readonly of: "pushing" };

export type RecoveryDecision =
  /** Drive the run on from where it stands; its next step looks at the facts itself. */
  | { readonly action: "go_on" }
  /** Remove what was half made (it carries our marker), then prepare again. */
  | { readonly action: "remove_half_made" }
  /** The agent is alive, or its end is on disk: read its stream on from the stored place. */
  | { readonly action: "read_on" }
  /** Nobody holds the agent any more: stop what is left of it, fail with `interrupted`. */
  | { readonly action: "interrupt" }
  /** The commit was made before the crash. */
  | { readonly action: "adopt_commit"; readonly commit: string };

/** What to do with `run`, given the facts of its state. Every decision may be taken again. */
export function decideRecovery(run: Pick<Run, "startSha">, facts: RecoveryFacts): RecoveryDecision {
  switch (facts.of) {
    case "preparing":
      return { action: facts.worktree === "half_made" ? "remove_half_made" : "go_on" };
    case "agent":
      if (facts.exitFile || facts.keeperAlive) return { action: "read_on" };
      return { action: facts.keeperStarted ? "interrupt" : "go_on" };
    case "committing":
      return facts.headIsOurs && facts.head !== null && facts.headParent === run.startSha
        ? { action: "adopt_commit", commit: facts.head }
        : { action: "go_on" };
    case "queued":
    case "waiting":
    case "staging":
    case "pushing":
      return { action: "go_on" };
  }
}
