/** Decides whether a path stays inside a folder, by its spelling and by where it really leads. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

export type SafePath =
  | { readonly ok: true /** Absolute, without symbolic links. */; readonly path: string }
  | {
      readonly ok: false;
      readonly reason: "invalid" | "outside" | "missing";
      /** One sentence that names the path. */
      readonly message: string;
    };

export interface SafePathOptions {
  /** What holds for a path that does not exist: it is refused (the default), or judged by its nearest existing folder. */
  readonly missing?: "refuse" | "allow";
}

const LONGEST = 4096;

/**
 * Where `path` (relative to `root`, or absolute) really leads, when that is inside `root`.
 * Order of checks: blank, control characters, length (4096), drive letters and UNC names, spelling, real path.
 * A backslash separates on every system. What is checked can be swapped before it is used; where that matters,
 * the caller opens the file and asks again. Throws where `root` itself cannot be resolved.
 */
export async function realPathInside(
  root: string,
  path: string,
  options: SafePathOptions = {},
): Promise<SafePath> {
  const flaw = flawOf(path);
  if (flaw !== null) return { ok: false, reason: "invalid", message: `${JSON.stringify(path)} ${flaw}` };
  const outside = { ok: false, reason: "outside", message: `${path} is outside of ${root}` } as const;
  const home = await realpath(root);
  const given = path.replaceAll("\\", "/");
  // Joined by hand: `out/../x` must be followed through the link `out`, not shortened first.
  const absolute = given.startsWith("/") ? given : `${home}/${given}`;
  const spelled = resolve(absolute);
  if (!isInside(home, spelled) && !isInside(resolve(root), spelled)) return outside;

  const real = await realpathOrNull(absolute);
  if (real !== null) return isInside(home, real) ? { ok: true, path: real } : outside;
  if (options.missing !== "allow") return { ok: false, reason: "missing", message: `${path} does not exist` };
  if (given.split("/").includes("..")) return outside;
  const future = await futurePath(spelled);
  return future !== null && isInside(home, future) ? { ok: true, path: future } : outside;
}

/** What is wrong with the spelling of a path, whatever it is relative to; null where nothing is. */
function flawOf(path: string): string | null {
  if (path.trim() === "") return "is blank";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x1f\x7f]/.test(path)) return "holds a control character";
  if (path.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (/^[a-zA-Z]:/.test(path) || /^(\\\\|\/\/)/.test(path)) return "names a drive or another machine";
  return null;
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Null where nothing is there or can be reached, a link that leads nowhere included. */
async function realpathOrNull(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** Where a missing path would be made: the real path of its nearest existing folder, and the rest as spelled. */
async function futurePath(path: string): Promise<string | null> {
  for (let level = path; ; level = dirname(level)) {
    const real = await realpathOrNull(level);
    if (real !== null) return join(real, relative(level, path));
    // A link that leads nowhere: who writes to it makes a file wherever it points.
    if (await isThere(level)) return null;
    if (level === dirname(level)) return null;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
