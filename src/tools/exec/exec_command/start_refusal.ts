/** Explains why nothing was started, and what can be done about it. */
import type { StartError } from "../../../utils/exec.ts";
import { invalidArgument } from "../../core/check-arguments.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { commandNotFound } from "./resolve_command.ts";

export function startRefusal(
  { kind, message }: StartError,
  { command, shellMode }: { readonly command: readonly string[]; readonly shellMode: "default" | "direct" },
): ToolRefusal {
  if (kind === "canceled") return canceled("The call was canceled before anything was started.");
  if (kind === "cwd_missing")
    return failure("NOT_DIRECTORY", `cwd: ${message}.`, { details: { argument: "cwd" } });
  if (kind === "too_long") return invalidArgument(`command: ${message}.`, { argument: "command" });
  if (kind === "not_found" && shellMode === "direct")
    return commandNotFound(command[0] ?? "", `Command not found: ${message}.`);
  return failure("INTERNAL", `${message}.`, { retriable: kind === "failed" });
}

export function canceled(message: string): ToolRefusal {
  return failure("CANCELED", message);
}
