/** Follows a path to its real target, link by link, as the system does when it opens one. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statfsSync } from "node:fs";
import { basename, dirname, join, parse, sep } from "node:path";
import { tryOr } from "../values/try-or.ts";

/** The target of a path. Every `path` and `at` is absolute and without links. */
export type RealLocation =
  | { readonly found: "something"; readonly path: string; readonly kind: "directory" | "file" | "other" }
  /** Nothing exists there. `path` is the place to make it, below the deepest existing folder. */
  | { readonly found: "nothing"; readonly path: string }
  /** It cannot be followed further than `at`. `beyond`: its target if the file in its way were a folder. */
  | { readonly found: "no-way"; readonly at: string; readonly why: string; readonly beyond?: string };

/** The same limit as on Linux. */
export const MAX_LINKS = 40;

/**
 * Takes an absolute path with separators of this platform, which may contain dots: `out/../x` follows the link `out`.
 * A link without a target gives `nothing`, at the place that it names. Synchronous, because each step is faster than
 * a handover to another thread.
 */
export function realLocation(path: string): RealLocation {
  const { root } = parse(path);
  const pending = namesOf(path.slice(root.length));
  let at = root;
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const seen = lstatOf(next);
    if (seen === null) return nothingAt(at, [name, ...pending.toReversed()]);
    if (typeof seen === "string") return { found: "no-way", at, why: seen };
    if (seen.isSymbolicLink()) {
      if (leadsByProcess(at)) return { found: "no-way", at, why: "it leads elsewhere in each process" };
      links += 1;
      const target = links > MAX_LINKS ? null : linkTarget(next);
      if (target === null) return { found: "no-way", at, why: "its links lead in a circle" };
      at = parse(target).root || at;
      pending.push(...namesOf(target.slice(parse(target).root.length)));
      continue;
    }
    if (!seen.isDirectory()) {
      if (pending.length > 0) return behind(seen, canonical(next), pending.toReversed());
      return { found: "something", path: canonical(next), kind: seen.isFile() ? "file" : "other" };
    }
    at = next;
  }
  return { found: "something", path: canonical(at), kind: "directory" };
}

/** The type of the file system of processes, as `statfs` gives it. */
const PROC = 0x9fa0;

/** Whether a link in the folder, such as `/proc/self/cwd`, has a different target for each process. */
export function leadsByProcess(folder: string): boolean {
  return process.platform === "linux" && tryOr(() => statfsSync(folder).type === PROC, true);
}

/** The names of a path, the last one first. */
export function namesOf(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : sep).reverse();
}

/** Null if nothing is there; a sentence if the system does not tell. */
function lstatOf(path: string): Stats | string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return `the system does not let it be looked at (${code})`;
  }
}

/** Null if the link is already gone, or cannot be read. */
export function linkTarget(link: string): string | null {
  return tryOr(() => readlinkSync(link), null);
}

function nothingAt(folder: string, rest: readonly string[]): RealLocation {
  const at = canonical(folder);
  if (rest.includes(".."))
    return { found: "no-way", at, why: "it goes up from a folder that does not exist" };
  return { found: "nothing", path: join(at, ...rest.filter((name) => name !== "" && name !== ".")) };
}

/** The rest of a path that goes through something other than a folder. */
function behind(seen: Stats, at: string, rest: readonly string[]): RealLocation {
  const blocked = { found: "no-way", at, why: `${basename(at)} is no folder` } as const;
  const names = rest.filter((name) => name !== "" && name !== ".");
  if (!seen.isFile() || names.length === 0 || names.includes("..")) return blocked;
  return { ...blocked, beyond: join(at, ...names) };
}

/** The spelling on the disk, if another spelling names the same file: other case, short names of Windows. */
export function canonical(path: string): string {
  if (process.platform !== "win32" && process.platform !== "darwin") return path;
  return tryOr(() => realpathSync.native(path), path);
}
