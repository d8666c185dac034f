/** The own codes of `define_issue` and their meanings; turns errors of the domain and the file system into answers. */
import type { ValidationFailed } from "../../../domain/issue/issue-definition-aggregate.ts";
import type { FileSystemError, FileSystemErrorType } from "../../../effect/file-system-error.ts";
import { invalidArgument } from "../../core/check-arguments.ts";
import { deniedByPolicy, failure, type ToolRefusal } from "../../core/result.ts";

export const DEFINE_ISSUE_CODES = {
  INVALID_ARGUMENT: "A text is missing, no text, blank or too long; every one that is wrong is named.",
  READ_ONLY: "In an attempt: the issue is that of the task, and only a person changes it.",
  FILE_SYSTEM_ERROR: "The file could not be written; `details.type` says why.",
  CANCELED: "The call was canceled before anything was written.",
} as const;

/** Errors that may pass without a change of the call. */
const PASSING: readonly FileSystemErrorType[] = ["busy", "disk_full"];

export function belongsToTask(): ToolRefusal {
  return deniedByPolicy(
    "READ_ONLY",
    "The issue of this attempt is that of its task, which cannot be changed from inside; get_current_status reads it.",
  );
}

export function refusalOfValidation({ validationErrors }: ValidationFailed): ToolRefusal {
  const message = validationErrors.map(({ field, message }) => `${field} ${message}`).join("; ");
  return invalidArgument(`${message}.`, { validationErrors });
}

export function refusalOfStorage({ type, message }: FileSystemError): ToolRefusal {
  if (type === "canceled") return failure("CANCELED", "The call was canceled; nothing was written.");
  return failure("FILE_SYSTEM_ERROR", message, { retriable: PASSING.includes(type), details: { type } });
}
