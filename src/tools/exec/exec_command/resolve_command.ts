/** Turns the tokens of a command into what is started: through the system's shell, or as they are. */
import { err, ok, type Result } from "neverthrow";
import type { Host } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { findProgram } from "./find_program.ts";

/**
 * The argv to start. `default`: one quoted line for the shell of the system (pwsh on Windows, zsh on macOS, sh elsewhere),
 * so that no token is read as shell text. `direct`: the tokens, the first one found on PATH.
 */
export async function resolveCommand(
  command: readonly string[],
  options: { readonly shellMode: "default" | "direct"; readonly cwd: string; readonly host: Host },
): Promise<Result<readonly string[], ToolRefusal>> {
  const { shellMode, cwd, host } = options;
  if (shellMode === "default") return ok(shellArgv(command, host.platform));
  const [program = "", ...args] = command;
  const found = await findProgram(program, { cwd, platform: host.platform, env: host.environment() });
  if (found !== null) return ok([found, ...args]);
  const message = `Command not found: ${program}`;
  return err(failure("COMMAND_NOT_FOUND", message, { details: { command: program } }));
}

/** The shell of a platform around quoted tokens (seed 001 §3.1; the product contract for Linux and for exit codes on Windows). */
function shellArgv(command: readonly string[], platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    const words = command.map((token) => `'${token.replaceAll("'", "''")}'`).join(" ");
    return ["pwsh.exe", "-NoLogo", "-NoProfile", "-Command", `& ${words}; exit $LASTEXITCODE`];
  }
  const line = command.map((token) => `'${token.replaceAll("'", "'\\''")}'`).join(" ");
  return platform === "darwin" ? ["zsh", "-lc", line] : ["sh", "-c", line];
}
