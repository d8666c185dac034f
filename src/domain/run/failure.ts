/** Names every way a run can fail. */
import { z } from "zod";
import { type Entity, jsonObject } from "../entity.ts";

export const FAILURE_CODES = [
  "setup_failed",
  "agent_failed",
  "agent_not_found",
  "auth_required",
  "rate_limited",
  "timed_out",
  "stalled",
  "gate_rejected",
  "check_failed",
  "hook_failed",
  "commit_failed",
  "lfs_missing",
  "fetch_failed",
  "base_missing",
  "empty_repository",
  "branch_name_blocked",
  "push_rejected",
  "push_auth",
  "remote_unreachable",
  "conflict",
  "session_lost",
  "worktree_lost",
  "sandbox_unavailable",
  "disk_full",
  "interrupted",
  "internal",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a run failed: a stable code, what happened, and what to do about it. */
export const failureSchema = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  remedy: z.string(),
  details: jsonObject,
});
export type Failure = Entity<typeof failureSchema>;

export interface FailureOptions {
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly remedy?: string | undefined;
}

/**
 * A failure whose remedy is written once the run's facts are known (`remedy.ts`). A remedy given here is a template
 * for that.
 */
export function failure(code: FailureCode, message: string, options: FailureOptions = {}): Failure {
  return { code, message, remedy: options.remedy ?? "", details: options.details ?? {} };
}
