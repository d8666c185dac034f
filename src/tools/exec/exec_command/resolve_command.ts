/** Turns the tokens of a command into the argv to start: through the system's shell, or directly (seed 001 §4.3). */
import { err, ok, type Result } from "neverthrow";
import { invalidArgument } from "../../core/check-arguments.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { batchArgv, isBatchFile } from "./batch_argv.ts";
import { findProgram, type ProgramSearch } from "./find_program.ts";
import { shellArgv } from "./shell_argv.ts";

/**
 * `default`: one quoted line for the system's shell. `direct`: the tokens; the first is found on PATH (seed 001 §5).
 */
export function resolveCommand(
  command: readonly string[],
  { shellMode, ...search }: ProgramSearch & { readonly shellMode: "default" | "direct" },
): Result<readonly string[], ToolRefusal> {
  if (shellMode === "default") return ok(shellArgv(command, search.platform));
  const [program = "", ...args] = command;
  const found = findProgram(program, search);
  if (found === null) {
    const where = /[\\/]/.test(program) ? "is there" : "of that name is on PATH";
    return err(
      commandNotFound(program, `Command not found: ${program} (no file ${where} that may be executed).`),
    );
  }
  if (search.platform !== "win32" || !isBatchFile(found)) return ok([found, ...args]);
  const argv = batchArgv([found, ...args], search.env);
  return argv === null ? err(unsafeForBatch(found)) : ok(argv);
}

export function commandNotFound(program: string, message: string): ToolRefusal {
  return failure("COMMAND_NOT_FOUND", message, { details: { command: program } });
}

function unsafeForBatch(path: string): ToolRefusal {
  const message = `command: ${path} is a batch file, and cmd.exe would change one of its tokens. None may hold " % ! ^ & | < > ( ) or a line feed.`;
  return invalidArgument(`${message} Call the program behind it instead.`, { argument: "command" });
}
