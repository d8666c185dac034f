/** Describes what is read about the current issue, and what may go wrong with that (seed 004, Domain Read Model). */
import type { Result } from "neverthrow";
import type { IssueDefinition } from "../../issue/issue-definition.ts";

export type IssueStatusView = {
  readonly issue: string;
  readonly context: string;
  readonly constraints: string;
  /** ISO text. */
  readonly createdAt: string;
};

/** `DataCorruption` stands beside the seed's one kind, since seed 004 gives it an answer of its own (Error Categories, 3). */
export type ReadError = {
  readonly type: "FileSystemError" | "DataCorruption";
  readonly message: string;
};

/** `file_not_found` and `corrupt` are told apart; whatever else a loader says is the file system's. */
export interface LoadError {
  readonly type: string;
  readonly message: string;
}

/** Loads the issue from wherever it is kept. */
export type LoadIssue = () => Promise<Result<IssueDefinition, LoadError>>;
