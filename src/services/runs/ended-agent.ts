/** Describes what is known once a run's agent is no more. */
import type { AgentResult } from "../../domain/agent/events.ts";
import type { KeeperExit } from "../../keeper/files.ts";
import type { Launch } from "./launch.ts";

export interface EndedAgent {
  readonly launch: Launch;
  /** False where its keeper died before it started it. */
  readonly began: boolean;
  /** Null where the keeper died. */
  readonly exit: KeeperExit | null;
  /** Null where the keeper died, and with it the knowledge of how the agent ended. */
  readonly result: AgentResult | null;
  /** What it had cost when it was stopped for its budget, in US dollars; null where it was not. */
  readonly overBudget: number | null;
}
