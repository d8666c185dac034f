/** Holds a folder open while its files are changed, so that a link on its path cannot redirect the changes. */
import { closeSync, constants, mkdirSync, openSync, realpathSync, rmdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside } from "../paths/path-spelling.ts";

export interface PinnedFolder {
  /** A path that reaches a name in exactly this folder, even if the folder's own path now leads elsewhere. */
  at(name: string): string;
  /** Absolute paths of the folders that this call made, the outermost first. */
  readonly made: readonly string[];
  /** Call this when the folder is no longer needed. */
  close(): void;
}

type PinFolder =
  | { readonly ok: true; readonly folder: PinnedFolder }
  /** `moved`: a part of the path is now a link, or was moved. `no-folder`: a part of the path is a file. */
  | {
      readonly ok: false;
      readonly reason: "moved" | "missing" | "no-folder" | "refused";
      readonly message: string;
    };

interface PinOptions {
  /** Whether missing folders are made. */
  readonly missing: "make" | "refuse";
}

/**
 * `folder` is absolute, without links, and inside `root`, as `realPathInside` returns it. On Linux each folder of the
 * path is opened from the one before, and no link is followed. Elsewhere the path is checked again once it exists.
 * Throws nothing.
 */
export function pinFolder(root: string, folder: string, options: PinOptions): PinFolder {
  const names = relative(root, folder).split(sep).filter(Boolean);
  if (!isInside(root, folder, process.platform)) return MOVED(folder);
  try {
    return process.platform === "linux" ? pinByStep(root, names, options) : pinByPath(root, folder, options);
  } catch (error) {
    return refusal(error as NodeJS.ErrnoException, folder);
  }
}

const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
const FOLDER = constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

function pinByStep(root: string, names: readonly string[], { missing }: PinOptions): PinFolder {
  const made: string[] = [];
  let descriptor = openSync(root, FLAGS_OF_ROOT);
  let place = root;
  try {
    for (const name of names) {
      const next = `/proc/self/fd/${descriptor}/${name}`;
      place = join(place, name);
      if (missing === "make" && makeFolder(next)) made.push(place);
      const opened = openSync(next, FOLDER);
      closeSync(descriptor);
      descriptor = opened;
    }
  } catch (error) {
    closeSync(descriptor);
    removeFolders(made);
    throw error;
  }
  const pinned = descriptor;
  return {
    ok: true,
    folder: {
      at: (name) => `/proc/self/fd/${pinned}/${name}`,
      made,
      close: () => closeSync(pinned),
    },
  };
}

/** The root itself may be reached through links, because the caller trusts it. */
const FLAGS_OF_ROOT = constants.O_RDONLY | O_DIRECTORY;

function pinByPath(root: string, folder: string, { missing }: PinOptions): PinFolder {
  const made: string[] = [];
  let place = root;
  for (const name of relative(root, folder).split(sep).filter(Boolean)) {
    place = join(place, name);
    if (missing === "make" && makeFolder(place)) made.push(place);
  }
  if (realpathSync.native(folder) !== folder) return MOVED(folder);
  return { ok: true, folder: { at: (name) => join(folder, name), made, close: () => {} } };
}

/** Whether this call made it. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the folders that were made, as far as they are still empty. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // It is in use by now, so it stays.
      return;
    }
  }
}

const MOVED = (folder: string): PinFolder => ({
  ok: false,
  reason: "moved",
  message: `${folder} was moved while it was looked at`,
});

function refusal(error: NodeJS.ErrnoException, folder: string): PinFolder {
  if (error.code === "ELOOP") return MOVED(folder);
  // A link and a file in place of a folder give the same error. Neither is followed.
  if (error.code === "ENOTDIR")
    return { ok: false, reason: "no-folder", message: `${folder}: something on the way is no folder` };
  if (error.code === "ENOENT") return { ok: false, reason: "missing", message: `${folder} does not exist` };
  return { ok: false, reason: "refused", message: `${folder} cannot be opened or made (${error.code})` };
}
