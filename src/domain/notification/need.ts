/** Decides which facts say that something needs a person, and in which words a notification tells it. */
import type { Fact } from "../operation.ts";
import type { Run } from "../run/run.ts";

/** `question`: an agent asks. `failed`: a run ended so that a person has to look. `held`: a commit waits. */
export type NeedEvent = "question" | "failed" | "held";

/** What a notification says: short words, no command and no code, since it may go to a chat room. */
export interface Notification {
  readonly event: NeedEvent;
  /** UTC ISO: since when it needs a person. */
  readonly at: string;
  readonly reason: string;
  /** Ids. */
  readonly task: string;
  readonly attempt: string;
  readonly run: string;
  /** The page of the attempt. It signs nobody in. */
  readonly url: string;
}

/** The kinds of facts among which are those that need a person. */
export const NEED_KINDS: readonly string[] = ["run.question", "run.state"];

/** Null if the fact needs no person. Whether it still does is to be looked at when it is told. */
export function needOf({ kind, data }: Pick<Fact, "kind" | "data">): NeedEvent | null {
  if (kind === "run.question") return data.state === "asked" ? "question" : null;
  if (kind !== "run.state") return null;
  if (data.status === "FAILED") return "failed";
  return data.outcome === "committed" ? "held" : null;
}

/** What is known of the run when it is told. */
interface Subject {
  readonly agent: string;
  readonly run: Pick<Run, "failure">;
  readonly isLatest: boolean;
  readonly holds: boolean;
  /** The source of the question of the fact, if it is still open. */
  readonly asks: "permission" | "person" | null;
}

/** Null if it needs a person no more: answered, followed by another run, or committed as it was wished. */
export function reasonOf(event: NeedEvent, { agent, run, isLatest, holds, asks }: Subject): string | null {
  if (event === "question") {
    if (asks === null) return null;
    return asks === "permission" ? `${agent} asks to be allowed something.` : `${agent} asks a question.`;
  }
  if (!isLatest) return null;
  if (event === "failed") return run.failure && `The run of ${agent} failed: ${run.failure.code}.`;
  return holds ? `The commit of ${agent} waits to be published.` : null;
}
