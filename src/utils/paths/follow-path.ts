/** Follows a path link by link, up to the first name that an agent's tools could have created. */
import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname, join, parse } from "node:path";
import { tryOr } from "../values/try-or.ts";
import { isInside } from "./path-spelling.ts";
import { canonical, leadsByProcess, linkTarget, MAX_LINKS, namesOf } from "./real-location.ts";

/** All paths are absolute and without links. */
export interface ToolPlaces {
  /** Folders in which tools can write. */
  readonly writable: readonly string[];
  /** What the host granted. It may lie in a folder in which tools can write. */
  readonly granted: readonly string[];
  /** Whether the system is also asked where this process may write, as in a sandbox. */
  readonly asksSystem: boolean;
}

export type Followed =
  | { readonly found: "something"; readonly path: string; readonly stats: Stats }
  | { readonly found: "nothing" }
  /** A tool could have created `at`, or a link to it. */
  | { readonly found: "refused"; readonly at: string; readonly why: string };

/**
 * `path` is absolute and may contain dots. `mustBeGranted`: a file that tools can write named the path, so it must be
 * in what the host granted.
 */
export function followPath(
  path: string,
  places: ToolPlaces,
  { mustBeGranted = false }: { readonly mustBeGranted?: boolean } = {},
): Followed {
  const { root } = parse(path);
  const pending = namesOf(path.slice(root.length));
  let at = root;
  let strict = mustBeGranted;
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const seen = lstatOf(next);
    const isLink = seen?.isSymbolicLink() === true;
    const real = isLink || seen === null ? next : canonical(next);
    const writable = isWritable(real, places);
    // A folder on the way to a granted place is passed; a link there could be a tool's.
    if (writable && !isGranted(real, places) && (isLink || !leadsToGranted(real, places)))
      return { found: "refused", at: real, why: "lies in a folder in which tools can write" };
    if (seen === null) return { found: "nothing" };
    if (!isLink) {
      at = real;
      continue;
    }
    if (leadsByProcess(at)) return { found: "refused", at: next, why: "leads elsewhere in each process" };
    links += 1;
    const target = links > MAX_LINKS ? null : linkTarget(next);
    if (target === null) return { found: "nothing" };
    strict ||= writable;
    at = parse(target).root || at;
    pending.push(...namesOf(target.slice(parse(target).root.length)));
  }
  if (strict && !isGranted(at, places))
    return { found: "refused", at, why: "is named by what tools can write, and was not granted" };
  const stats = lstatOf(at);
  return stats === null ? { found: "nothing" } : { found: "something", path: at, stats };
}

/** Whether a tool could replace the entry at a name. `path` is real except for its last name. */
export function isWritable(path: string, { writable, asksSystem }: ToolPlaces): boolean {
  if (writable.some((folder) => path !== folder && isInside(folder, path, process.platform))) return true;
  return asksSystem && mayWriteIn(dirname(path));
}

function isGranted(path: string, { granted }: ToolPlaces): boolean {
  return granted.some((one) => isInside(one, path, process.platform));
}

function leadsToGranted(path: string, { granted }: ToolPlaces): boolean {
  return granted.some((one) => isInside(path, one, process.platform));
}

function mayWriteIn(folder: string): boolean {
  return tryOr(() => {
    // Its result says nothing: null on one runtime, undefined on the other.
    accessSync(folder, constants.W_OK);
    return true;
  }, false);
}

/** Null if nothing is there, or the system does not tell. */
function lstatOf(path: string): Stats | null {
  return tryOr(() => lstatSync(path, { throwIfNoEntry: false }) ?? null, null);
}
