/** Hands a Windows batch file to cmd.exe, which alone can run it, if cmd would read every token unchanged. */
import { type ProgramSearch, variable } from "./find_program.ts";

/** Characters with a meaning for cmd.exe, inside or outside of quotes. Not all can be quoted (CVE-2024-27980). */
const READ_BY_CMD = /["%!^&|<>()\r\n]/;

/** Null if a token would be changed. `call` goes first, because cmd strips quotes from a line that begins with one. */
export function batchArgv(
  argv: readonly string[],
  env: ProgramSearch["env"],
): readonly [string, ...string[]] | null {
  if (argv.some((token) => READ_BY_CMD.test(token))) return null;
  return [variable(env, "ComSpec") ?? "cmd.exe", "/d", "/e:on", "/v:off", "/c", "call", ...argv];
}

export function isBatchFile(path: string): boolean {
  return /\.(bat|cmd)$/i.test(path);
}
