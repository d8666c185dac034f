/** Names what can be wrong with one part of an issue (seed 004, value objects). */

export type IssueField = "issue" | "context" | "constraints";

/** `message` is a clause for people, which follows the name of the field: `must not be blank`. */
export type ValidationError = {
  readonly field: IssueField;
  readonly message: string;
} & (
  | { readonly type: "required" }
  | { readonly type: "invalid_type" }
  /** Blank after trimming. */
  | { readonly type: "too_short" }
  /** Lengths in UTF-16 units, after trimming. */
  | { readonly type: "too_long"; readonly most: number; readonly actual: number }
);
