/** Finds a program as the system does: paths unchanged, names on PATH, with PATHEXT on Windows (seed 001 §5). */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { win32 } from "node:path";

export interface ProgramSearch {
  /** Absolute. Paths with a separator and relative entries of PATH start here. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** Whether a file can be run. Default: the answer of the file system. */
  readonly isProgram?: (path: string) => boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Absolute path of the program, or null. Asks the file system synchronously, as the system's own search does:
 * another thread would take longer.
 */
export function findProgram(program: string, search: ProgramSearch): string | null {
  const { isProgram = isExecutableFile, platform } = search;
  const candidates = platform === "win32" ? onWindows(program, search) : onUnix(program, search);
  return candidates.find((candidate) => isProgram(candidate)) ?? null;
}

/** Joined by hand, so that `link/../x` is resolved as the system does it, and not shortened as text. */
function onUnix(program: string, { cwd, env }: ProgramSearch): string[] {
  if (program.includes("/")) return [program.startsWith("/") ? program : `${cwd}/${program}`];
  // Without PATH, the folders that the C library searches. An empty entry is the working folder.
  const folders = (env.PATH ?? "/bin:/usr/bin").split(":");
  return folders.map((folder) => {
    if (folder === "") return `${cwd}/${program}`;
    return folder.startsWith("/") ? `${folder}/${program}` : `${cwd}/${folder}/${program}`;
  });
}

function onWindows(program: string, { cwd, env }: ProgramSearch): string[] {
  const isPath = /[\\/:]/.test(program);
  const entries = (variable(env, "PATH") ?? "").split(";").map((entry) => entry.replaceAll('"', ""));
  // Unlike cmd.exe, never search the working folder by default: a workspace may hold a `git.exe`.
  const folders = isPath ? [""] : entries.filter((entry) => entry !== "");
  const endings = endingsOf(program, variable(env, "PATHEXT"));
  return folders.flatMap((folder) =>
    endings.map((ending) => win32.resolve(cwd, folder, `${program}${ending}`)),
  );
}

function endingsOf(program: string, pathext: string | undefined): string[] {
  const known = (pathext || ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  const hasOne = known.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  return hasOne ? ["", ...known] : known;
}

/** Windows ignores the case of a variable's name. */
export function variable(env: Environment, name: string): string | undefined {
  const found = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

/** Most folders of PATH do not hold the program. That is not an error, and the cheapest check is used. */
function isExecutableFile(path: string): boolean {
  try {
    if (!existsSync(path) || !statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
