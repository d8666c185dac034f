/** Finds a program as the system would: a path as it is, a bare name on PATH, with PATHEXT on Windows (seed 001 §5). */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";

export interface ProgramSearch {
  /** Absolute; paths with a separator and relative entries of PATH are taken from here. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file can be run; the file system's own answer unless told. */
  readonly isProgram?: (path: string) => Promise<boolean>;
}

/** Absolute path of the program, or null. */
export async function findProgram(program: string, search: ProgramSearch): Promise<string | null> {
  const { isProgram = isExecutableFile } = search;
  for (const candidate of candidates(program, search)) if (await isProgram(candidate)) return candidate;
  return null;
}

function candidates(program: string, { cwd, platform, env }: ProgramSearch): string[] {
  const windows = platform === "win32";
  const path = windows ? win32 : posix;
  const isPath = program.includes("/") || (windows && /[\\:]/.test(program));
  const folders = isPath ? [cwd] : foldersOf(variable(env, "PATH", windows), path.delimiter);
  const endings = windows ? endingsOf(program, variable(env, "PATHEXT", windows)) : [""];
  return folders.flatMap((folder) =>
    endings.map((ending) => path.resolve(cwd, folder, `${program}${ending}`)),
  );
}

/** Without any PATH the C library's own default is what a shell would use. */
function foldersOf(path: string | undefined, delimiter: string): string[] {
  return (path ?? "/usr/bin:/bin").split(delimiter);
}

function endingsOf(program: string, pathext: string | undefined): string[] {
  const known = (pathext ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  const hasOne = known.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  return hasOne ? ["", ...known] : known;
}

/** Windows does not care about the case of a variable's name. */
function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  windows: boolean,
): string | undefined {
  if (!windows) return env[name];
  const found = Object.keys(env).find((key) => key.toUpperCase() === name);
  return found === undefined ? undefined : env[found];
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
