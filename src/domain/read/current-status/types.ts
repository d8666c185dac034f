/** Describes what is read about the current issue, and its possible errors (seed 004 Domain Read Model, Domain Models). */
import type { Result } from "neverthrow";
import type { IssueDefinition } from "../../issue/issue-definition.ts";

export type IssueStatusView = {
  readonly issue: string;
  readonly context: string;
  readonly constraints: string;
  /** ISO text. */
  readonly createdAt: string;
};

/** `DataCorruption` is added to the seed's one kind: seed 004 gives it its own answer (Error Categories, 3). */
export type ReadError = {
  readonly type: "FileSystemError" | "DataCorruption";
  readonly message: string;
};

/** `file_not_found` and `corrupt` are told apart; all other errors of a loader are the file system's. */
export interface LoadError {
  readonly type: string;
  readonly message: string;
}

/** Loads the issue from its storage. */
export type LoadIssue = () => Promise<Result<IssueDefinition, LoadError>>;
