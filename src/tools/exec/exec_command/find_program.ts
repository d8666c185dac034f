/** Finds a program as the system would: a path as it is, a bare name on PATH, with PATHEXT on Windows (seed 001 §5). */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { win32 } from "node:path";

export interface ProgramSearch {
  /** Absolute; paths with a separator and relative entries of PATH are taken from here. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** Whether a file can be run; the file system's own answer unless told. */
  readonly isProgram?: (path: string) => boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Absolute path of the program, or null. Asks the file system in place, as the system's own search does: a trip to another
 * thread takes longer.
 */
export function findProgram(program: string, search: ProgramSearch): string | null {
  const { isProgram = isExecutableFile, platform } = search;
  const candidates = platform === "win32" ? onWindows(program, search) : onUnix(program, search);
  return candidates.find((candidate) => isProgram(candidate)) ?? null;
}

/** Joined by hand: `link/../x` leads where the system follows it to, not where its spelling does. */
function onUnix(program: string, { cwd, env }: ProgramSearch): string[] {
  if (program.includes("/")) return [program.startsWith("/") ? program : `${cwd}/${program}`];
  // Without any PATH, where the C library looks. An empty entry is the working folder.
  const folders = (env.PATH ?? "/bin:/usr/bin").split(":");
  return folders.map((folder) => {
    if (folder === "") return `${cwd}/${program}`;
    return folder.startsWith("/") ? `${folder}/${program}` : `${cwd}/${folder}/${program}`;
  });
}

function onWindows(program: string, { cwd, env }: ProgramSearch): string[] {
  const isPath = /[\\/:]/.test(program);
  const entries = (variable(env, "PATH") ?? "").split(";").map((entry) => entry.replaceAll('"', ""));
  // Unlike cmd.exe, never the working folder by itself: a workspace may hold a `git.exe`.
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

/** Windows does not care about the case of a variable's name. */
export function variable(env: Environment, name: string): string | undefined {
  const found = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

/** Most folders of PATH do not hold the program: that is no error, and costs as little as a question can. */
function isExecutableFile(path: string): boolean {
  try {
    if (!existsSync(path) || !statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
