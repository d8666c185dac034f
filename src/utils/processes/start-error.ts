/** Explains in words why a program could not be started. */
import { statSync } from "node:fs";

export interface StartError {
  /**
   * `too_long`: argv and environment exceed the system's limit. `canceled`: the signal aborted before the start, and
   * nothing was started.
   */
  readonly kind: "cwd_missing" | "not_found" | "not_executable" | "too_long" | "canceled" | "failed";
  /** One sentence that names the program or the folder. */
  readonly message: string;
}

/** Turns the error of a spawn into its cause. To the system, a missing working folder looks like a missing program. */
export function explainStartError(
  error: unknown,
  request: { readonly program: string; readonly cwd: string },
): StartError {
  const { program, cwd } = request;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  const reason = error instanceof Error ? error.message : String(error);
  if (syscall === "open") return { kind: "failed", message: `${program} could not be started: ${reason}` };
  if (!isFolder(cwd)) return { kind: "cwd_missing", message: `the folder ${cwd} does not exist` };
  if (code === "ENOENT") return { kind: "not_found", message: notFound(program) };
  if (code === "EACCES" || code === "EISDIR")
    return {
      kind: "not_executable",
      message: `${program} is not an executable file, or ${cwd} may not be entered`,
    };
  if (code === "ENOEXEC")
    return { kind: "not_executable", message: `${program} is neither a binary nor a script with a #! line` };
  if (code === "E2BIG")
    return {
      kind: "too_long",
      message: `the arguments and the environment of ${program} are too long for the system`,
    };
  return { kind: "failed", message: `${program} could not be started: ${reason}` };
}

/** A script whose #! line names a missing interpreter is reported as missing itself. */
function notFound(program: string): string {
  if (!program.includes("/")) return `${program} was not found on the PATH`;
  return isFile(program)
    ? `${program} could not be started: the interpreter in its #! line does not exist`
    : `${program} does not exist`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
