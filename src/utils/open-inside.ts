/** Opens a file or folder that was judged to be inside a folder, and makes sure that it still is. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isInside } from "./path-spelling.ts";

export type OpenInside =
  | { readonly ok: true; readonly descriptor: number; readonly stats: BigIntStats }
  /** `moved`: a link was put in its way since it was judged. `other`: it is neither a plain file nor, where that is asked, a folder. */
  | {
      readonly ok: false;
      readonly reason: "moved" | "missing" | "other" | "unreadable";
      readonly message: string;
    };

/** Windows has neither of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
/** So that nothing hangs at a pipe without a writer, and no link at the end is followed. */
const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/**
 * Opens for reading what lies at `path`: absolute and without links, as `realPathInside` answers it. On Linux the system is
 * asked afterwards where the opened file lies; elsewhere whether that path still names it. The caller closes the descriptor.
 */
export function openInside(root: string, path: string, kind: "file" | "directory"): OpenInside {
  const refused = (reason: "moved" | "missing" | "other" | "unreadable", why: string): OpenInside => ({
    ok: false,
    reason,
    message: `${path} ${why}`,
  });
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return refused("missing", "is gone");
    if (code === "ELOOP") return refused("moved", "was replaced by a link");
    if (code === "ENXIO") return refused("other", "is no plain file");
    return refused("unreadable", `cannot be read (${code})`);
  }
  const stats = fstatSync(descriptor, { bigint: true });
  const isKind = kind === "file" ? stats.isFile() : stats.isDirectory();
  if (isKind && liesInside(root, path, { descriptor, stats })) return { ok: true, descriptor, stats };
  closeSync(descriptor);
  return isKind
    ? refused("moved", "was moved while it was looked at")
    : refused("other", kind === "file" ? "is no plain file" : "is no folder");
}

function liesInside(
  root: string,
  path: string,
  opened: { readonly descriptor: number; readonly stats: BigIntStats },
): boolean {
  const place = process.platform === "linux" ? placeOf(opened.descriptor) : null;
  if (place !== null) return isInside(root, place, process.platform);
  try {
    // That the path leads to the opened file and through no link proves that the file has a name inside.
    const named = statSync(path, { bigint: true });
    const { dev, ino } = opened.stats;
    return realpathSync.native(path) === path && named.dev === dev && named.ino === ino;
  } catch {
    return false;
  }
}

/** Where the system says that an open file lies; null where it does not say. */
function placeOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
