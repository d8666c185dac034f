/** Describes what an agent did, in one vocabulary for every agent, modelled on ACP's session updates. */
import type { Asked } from "../question/question.ts";
import type { Usage, UsageTotals } from "./counters.ts";

/** The kind of work of a tool call; these are the kinds of the Agent Client Protocol. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export interface ToolLocation {
  /** As the agent gave it; usually absolute. */
  readonly path: string;
  readonly line?: number;
}

export type AgentEvent =
  | { readonly kind: "session"; readonly sessionId: string; readonly model: string | null }
  | {
      readonly kind: "message";
      readonly text: string /** A piece to append to the message before it. */;
      readonly delta: boolean;
    }
  | { readonly kind: "thought"; readonly text: string }
  | {
      readonly kind: "tool_call";
      /** A second call with the same id replaces title and locations of the first (agents learn them late). */
      readonly id: string;
      /** The agent's own name of the tool. */
      readonly tool: string;
      readonly toolKind: ToolKind;
      /** One line for a person: the command, or the verb and the path. */
      readonly title: string;
      readonly locations: readonly ToolLocation[];
    }
  | {
      readonly kind: "tool_call_update";
      readonly id: string;
      readonly status: "in_progress" | "completed" | "failed";
      /** At most 4,000 characters of the tool's answer. */
      readonly output: string | null;
      /**
       * How long the call took until this end, as the agent told it. In a log: else the time between the lines of its
       * beginning and its end. Absent if it is unknown.
       */
      readonly durationMs?: number;
    }
  | {
      readonly kind: "plan";
      readonly entries: readonly {
        readonly content: string;
        readonly status: "pending" | "in_progress" | "completed";
      }[];
    }
  | { readonly kind: "usage" /** Of this run so far. */; readonly usage: Usage }
  | {
      readonly kind: "retry";
      readonly attempt: number | null;
      readonly maxAttempts: number | null;
      readonly delayMs: number | null;
      readonly message: string;
    }
  | {
      readonly kind: "permission";
      readonly id: string;
      readonly title: string;
      readonly options: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
      /** The option that a rule chose; null if the question was taken back. */
      readonly chosen: string | null;
    }
  /** Only a person can answer. The agent waits, and gets the answer by `AgentParser.answer`. */
  | ({ readonly kind: "question"; readonly key: string } & Asked)
  /** The agent does not wait for the answer any more. */
  | { readonly kind: "question_withdrawn"; readonly key: string }
  | { readonly kind: "warning"; readonly text: string };

/** How the agent's turn ended, after its process ended (or its protocol said so). */
export type AgentResult = AgentReport &
  ({ readonly ok: true } | { readonly ok: false; readonly failure: AgentFailure });

interface AgentReport {
  /** The agent's closing words, trimmed; may be empty. */
  readonly summary: string;
  readonly usage: Usage | null;
  readonly totals: UsageTotals | null;
}

/** Why an agent's turn failed, as far as its stream and exit show. */
export interface AgentFailure {
  readonly code: "agent_failed" | "agent_not_found" | "auth_required" | "rate_limited" | "session_lost";
  readonly message: string;
  /**
   * UTC ISO time at which the limit resets, as the provider said. For a fault that passes sooner than others: when it
   * may be over. Null if it is unknown.
   */
  readonly resumeAt: string | null;
  /** Whether the same request may succeed later without a change (overload, a cut stream). */
  readonly transient: boolean;
}
