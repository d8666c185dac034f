/** Decides how to go on with an unfinished run after a crash, from facts that were gathered first. */
import type { Run } from "./run.ts";

/** Facts about a run from the disk, the process table, git and the remote; only those that its state needs. */
type RecoveryFacts =
  | { readonly of: "queued" }
  | {
      readonly of: "preparing";
      /** `registered`: git knows the worktree and its branch; `half_made`: only a part of it exists. */
      readonly worktree: "none" | "half_made" | "registered";
    }
  | {
      readonly of: "agent";
      /** The keeper left its closing file. */
      readonly exitFile: boolean;
      /** Pid, start time and boot id all match a living process. */
      readonly keeperAlive: boolean;
      /** The keeper was started: a process got the spec. */
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

type RecoveryDecision =
  /** Go on from the run's state; its next step reads the facts itself. */
  | { readonly action: "go_on" }
  /** Remove the incomplete worktree (it carries our marker), then prepare again. */
  | { readonly action: "remove_half_made" }
  /** The agent is alive, or its end is on disk: read its stream on from the stored place. */
  | { readonly action: "read_on" }
  /** No keeper holds the agent any more: stop what is left of it, fail with `interrupted`. */
  | { readonly action: "interrupt" }
  /** The commit was made before the crash. */
  | { readonly action: "adopt_commit"; readonly commit: string };

/** What to do with `run`, given the facts of its state. Every decision may be repeated. */
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
