/** Describes an operation: one journaled act on git or on a worktree, with what was before and after. */

export interface Operation {
  readonly id: string;
  /** Stable verb, such as `worktree_add`, `commit`, `push`, `snapshot`, `trash`, `branch_delete`, `ref_restored`. */
  readonly kind: string;
  readonly subject: { readonly type: "repository" | "task" | "attempt" | "run"; readonly id: string };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** `intended` is written before the act, the others after it. */
  readonly status: "intended" | "done" | "failed" | "abandoned";
  readonly undoable: boolean;
  readonly at: string;
  readonly endedAt: string | null;
}

/** A numbered fact: a change, in the order in which it happened. */
export interface Fact {
  /** Strictly increasing; holes are allowed. */
  readonly seq: number;
  readonly at: string;
  /** Such as `run.state`, `run.action`, `run.usage`, `attempt.changed`, `task.created`, `operation.done`. */
  readonly kind: string;
  readonly taskId: string | null;
  readonly attemptId: string | null;
  readonly runId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
