/** Opens a file or folder that was found inside a folder, and makes sure that it still is. */
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
import { isInside } from "../paths/path-spelling.ts";
import { tryOr } from "../values/try-or.ts";

export type OpenInside =
  | { readonly ok: true; readonly descriptor: number; readonly stats: BigIntStats }
  /**
   * `moved`: a link was put on its path since the check. `other`: it is neither a plain file nor, if requested, a
   * folder.
   */
  | {
      readonly ok: false;
      readonly reason: "moved" | "missing" | "other" | "unreadable";
      readonly message: string;
    };

/** Windows has none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
/** No wait at a pipe without a writer, and no following of a link at the end. */
const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/**
 * Opens `path` for reading: absolute and without links, as `realPathInside` returns it. On Linux the system then
 * tells the path of the opened file. Elsewhere the path is checked to still name that file. The caller closes the
 * descriptor.
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
  // On Linux the system tells the path of an open file.
  const place =
    process.platform === "linux"
      ? tryOr(() => readlinkSync(`/proc/self/fd/${opened.descriptor}`), null)
      : null;
  if (place !== null) return isInside(root, place, process.platform);
  return tryOr(() => {
    // If the path leads to the opened file without any link, the file has a name inside.
    const named = statSync(path, { bigint: true });
    const { dev, ino } = opened.stats;
    return realpathSync.native(path) === path && named.dev === dev && named.ino === ino;
  }, false);
}
