/** Asks ripgrep, if it is installed, which of many files may hold a matching line. */
import { realpathSync } from "node:fs";
import { exec } from "../../../utils/exec.ts";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import type { Host } from "../../core/context.ts";
import { findProgram } from "../../exec/exec_command/find_program.ts";
import type { LineMatcher } from "./line_matcher.ts";

interface RipgrepOptions {
  /** Absolute path of ripgrep. */
  readonly program: string;
  /** The workspace. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | null;
}

/** UTF-16 units of the names in one call. Windows allows 32,767 for the whole command line. */
const NAMES_CHARS = { win32: 24_000, other: 200_000 } as const;

/** Splits the files, in their order, into batches that one call can take. */
export function* batchesOf(
  files: readonly string[],
  platform: NodeJS.Platform,
): Generator<readonly string[]> {
  const max = platform === "win32" ? NAMES_CHARS.win32 : NAMES_CHARS.other;
  let batch: string[] = [];
  let chars = 0;
  for (const file of files) {
    if (chars + file.length > max && batch.length > 0) {
      yield batch;
      [batch, chars] = [[], 0];
    }
    batch.push(file);
    chars += file.length + "./ ".length;
  }
  if (batch.length > 0) yield batch;
}

/** The files in which ripgrep finds a line. Null if it cannot tell, and any file may hold one. */
export async function filesByRipgrep(
  files: readonly string[],
  { rust, foldsCase }: LineMatcher,
  { program, root, timeoutMs, signal }: RipgrepOptions,
): Promise<readonly string[] | null> {
  const flags = [...FLAGS, foldsCase ? "--ignore-case" : "--case-sensitive"];
  if (rust.isLiteral) flags.push("--fixed-strings");
  const result = await exec([program, ...flags, "--", rust.pattern, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env: { PATH: "", LC_ALL: "C" },
    timeoutMs,
    graceMs: 200,
    ...(signal === null ? {} : { signal }),
  });
  // Code 1 means that nothing was found. On any other failure, such as an unreadable file, this program searches
  // itself.
  if (!result.started || result.timedOut || (result.code !== 0 && result.code !== 1)) return null;
  const named = new Set(result.stdout.split("\0").map((name) => name.replaceAll("\\", "/")));
  return files.filter((file) => named.has(`./${file.replaceAll("\\", "/")}`));
}

/** Without the user's configuration; reads every given file, as its plain bytes. */
const FLAGS = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--files-with-matches",
  "--null",
  "--no-ignore",
  "--hidden",
  "--no-mmap",
  "--encoding=utf-8",
] as const;

/** Absolute path of ripgrep, but never of one in the workspace, because an agent might have planted it. */
export function findRipgrep(root: string, { platform, environment }: Host): string | null {
  const env = environment();
  const [name = "PATH"] = Object.keys(env).filter((key) => key.toUpperCase() === "PATH");
  const delimiter = platform === "win32" ? ";" : ":";
  const safe = (env[name] ?? "")
    .split(delimiter)
    .filter((folder) => /^(?:\/|[a-zA-Z]:[\\/])/.test(folder) && isElsewhere(root, folder, platform));
  const PATH = safe.length === 0 ? "/nowhere" : safe.join(delimiter);
  const program = findProgram("rg", { cwd: root, platform, env: { PATH, PATHEXT: ".EXE" } });
  return program !== null && isElsewhere(root, program, platform) ? program : null;
}

/** By its real path: a link elsewhere may lead into the workspace. */
function isElsewhere(root: string, path: string, platform: NodeJS.Platform): boolean {
  try {
    return !isInside(root, realpathSync.native(path), platform);
  } catch {
    return false;
  }
}
