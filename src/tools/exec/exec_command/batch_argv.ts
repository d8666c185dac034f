/** Hands a Windows batch file to cmd.exe, which alone can run it, as long as cmd would read every token as it is. */
import { type ProgramSearch, variable } from "./find_program.ts";

/** What cmd.exe reads as its own, inside of quotes or out of them; there is no way to quote all of it (CVE-2024-27980). */
const READ_BY_CMD = /["%!^&|<>()\r\n]/;

export function isBatchFile(path: string): boolean {
  return /\.(bat|cmd)$/i.test(path);
}

/** Null where a token would not arrive as it is. `call` goes first, since cmd strips quotes from a line that begins with one. */
export function batchArgv(
  argv: readonly string[],
  env: ProgramSearch["env"],
): readonly [string, ...string[]] | null {
  if (argv.some((token) => READ_BY_CMD.test(token))) return null;
  return [variable(env, "ComSpec") ?? "cmd.exe", "/d", "/e:on", "/v:off", "/c", "call", ...argv];
}
