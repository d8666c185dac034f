/** Follows a path to where it really leads, link by link, as the system does when it opens one. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, parse, sep } from "node:path";

/** What a path leads to. Every `path` and `at` is absolute and without links. */
export type RealLocation =
  | { readonly found: "something"; readonly path: string; readonly kind: "directory" | "file" | "other" }
  /** Nothing is there; this is where it would be made, below the deepest folder that exists. */
  | { readonly found: "nothing"; readonly path: string }
  /** It cannot be followed further than `at`. `beyond`: where it would lead, were the file in its way a folder. */
  | { readonly found: "no-way"; readonly at: string; readonly why: string; readonly beyond?: string };

/** As many as Linux follows. */
const MOST_LINKS = 40;

/**
 * Takes an absolute path with separators of this platform, dots and all: `out/../x` is followed through the link `out`.
 * A link that leads to nothing is `nothing`, at the place that it names. Synchronous, as each look takes less time than
 * handing it to another thread.
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
    const seen = look(next);
    if (seen === null) return nothingAt(at, [name, ...pending.toReversed()]);
    if (typeof seen === "string") return { found: "no-way", at, why: seen };
    if (seen.isSymbolicLink()) {
      links += 1;
      const target = links > MOST_LINKS ? null : linkTarget(next);
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

/** The names of a path, the last one first. */
function namesOf(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : sep).reverse();
}

/** Null where nothing is; a sentence where the system does not tell. */
function look(path: string): Stats | string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return `the system does not let it be looked at (${code})`;
  }
}

/** Null where the link is gone again, or cannot be read. */
function linkTarget(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function nothingAt(folder: string, rest: readonly string[]): RealLocation {
  const at = canonical(folder);
  if (rest.includes(".."))
    return { found: "no-way", at, why: "it goes up from a folder that does not exist" };
  return { found: "nothing", path: join(at, ...rest.filter((name) => name !== "" && name !== ".")) };
}

/** What is said to lie below something that is no folder. */
function behind(seen: Stats, at: string, rest: readonly string[]): RealLocation {
  const blocked = { found: "no-way", at, why: `${basename(at)} is no folder` } as const;
  const names = rest.filter((name) => name !== "" && name !== ".");
  if (!seen.isFile() || names.length === 0 || names.includes("..")) return blocked;
  return { ...blocked, beyond: join(at, ...names) };
}

/** The spelling that the disk has, where another one names the same file: other case, short names of Windows. */
function canonical(path: string): string {
  if (process.platform !== "win32" && process.platform !== "darwin") return path;
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
