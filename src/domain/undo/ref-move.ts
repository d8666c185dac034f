/** Finds which reference an operation moved, so that the move can be undone. */
import type { Operation } from "../operation.ts";

export interface RefMove {
  /** Full name, such as `refs/heads/main`. */
  readonly ref: string;
  /** Its commit before the operation; null: it did not exist. */
  readonly before: string | null;
  /** Its commit after the operation. */
  readonly after: string | null;
}

/**
 * An agent's own commits come back under a branch of their own. Null for operations that moved no reference, or whose
 * old or new place is unknown.
 */
export function refMoveOf({ kind, subject, before, after }: Operation): RefMove | null {
  switch (kind) {
    case "branch_delete":
      return branchMove(before?.branch, before?.sha, null);
    case "branch_restored":
      return branchMove(before?.branch, null, after?.sha);
    case "commit":
      return branchMove(before?.branch, before?.sha, after?.sha);
    case "ref_restored":
      // The gate never saw these commits: on the attempt's own branch the next push would publish them.
      return branchMove(
        `${before?.branch}-by-agent-${subject.id.slice(0, 8)}`,
        agentsTip(before, after?.sha),
        null,
      );
    case "foreign_ref_moved":
    case "merge_attempt":
    case "undo":
      return move(before?.ref, before?.sha, after?.sha);
    default:
      return null;
  }
}

/** The agent's own commit: on its branch, or at its HEAD. Null if it only moved them. */
function agentsTip(before: Operation["before"], start: unknown): unknown {
  const { branchSha = null, head = null } = before ?? {};
  return [branchSha, head].find((sha) => sha !== start && sha !== null) ?? null;
}

function branchMove(branch: unknown, before: unknown, after: unknown): RefMove | null {
  return typeof branch === "string" ? move(`refs/heads/${branch}`, before, after) : null;
}

function move(ref: unknown, before: unknown, after: unknown): RefMove | null {
  if (typeof ref !== "string" || !isSha(before) || !isSha(after) || before === after) return null;
  return { ref, before, after };
}

function isSha(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
