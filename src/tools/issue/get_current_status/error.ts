/** The own codes of `get_current_status` (seed 004 Error Categories), with their meanings. */
import type { ReadError } from "../../../domain/read/current-status/types.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";

export const GET_CURRENT_STATUS_CODES = {
  INVALID_ARGUMENT: "There are no arguments; one was given.",
  FILE_SYSTEM_ERROR: "The file is there and could not be read.",
  CORRUPT_DATA:
    "The file was read and is no issue; defining one anew is possible, and keeps the file under another name.",
} as const;

export function refusalOfRead({ type, message }: ReadError): ToolRefusal {
  return failure(type === "DataCorruption" ? "CORRUPT_DATA" : "FILE_SYSTEM_ERROR", message);
}
