/** Starts a command and sees it to its end; a bare name is left to the system's own search, and looked for here where that fails. */
import { err, ok, type Result } from "neverthrow";
import { type ExecOptions, type ExecResult, exec, type StartError } from "../../../utils/exec.ts";
import type { ToolRefusal } from "../../core/result.ts";
import type { ProgramSearch } from "./find_program.ts";
import { resolveCommand } from "./resolve_command.ts";

export type CommandSearch = ProgramSearch & { readonly shellMode: "default" | "direct" };

/** The end of the command, or why nothing of that name can be run. */
export async function startCommand(
  command: readonly string[],
  search: CommandSearch,
  options: ExecOptions,
): Promise<Result<ExecResult, ToolRefusal>> {
  if (isLeftToSystem(command, search)) {
    const result = await exec(command, options);
    if (result.started || !NOT_FOUND.has(result.error.kind)) return ok(result);
  }
  const argv = resolveCommand(command, search);
  return argv.isErr() ? err(argv.error) : ok(await exec(argv.value, options));
}

/** The system's answers that another look along PATH may know better, or tell in better words. */
const NOT_FOUND: ReadonlySet<StartError["kind"]> = new Set(["not_found", "not_executable"]);

/**
 * Where every folder of PATH is absolute, the system finds what we would, and asks as it starts: a search of our own took a
 * tenth of a small command's time.
 */
function isLeftToSystem(
  [program = ""]: readonly string[],
  { shellMode, platform, env }: CommandSearch,
): boolean {
  if (shellMode !== "direct" || platform === "win32" || program.includes("/")) return false;
  return /^\/[^:]*(?::\/[^:]*)*$/.test(env.PATH ?? "");
}
