/** Answers which issue is defined now, from a given loader (seed 004 Domain Read Model). */
import { err, ok, type Result } from "neverthrow";
import type { IssueDefinition } from "../../issue/issue-definition.ts";
import type { IssueStatusView, LoadError, LoadIssue, ReadError } from "./types.ts";

/**
 * Makes the seed's query. It answers `null` if no issue was defined, which is not an error (seed 004 Functional
 * Error Handling).
 */
export function createGetCurrentIssueStatus(
  load: LoadIssue,
): () => Promise<Result<IssueStatusView | null, ReadError>> {
  return async () =>
    (await load())
      .map<IssueStatusView | null>(viewOf)
      .orElse((error) => (error.type === "file_not_found" ? ok(null) : err(readErrorOf(error))));
}

function viewOf({ issue, context, constraints, createdAt }: IssueDefinition): IssueStatusView {
  return { issue, context, constraints, createdAt: createdAt.toISOString() };
}

function readErrorOf({ type, message }: LoadError): ReadError {
  return { type: type === "corrupt" ? "DataCorruption" : "FileSystemError", message };
}
