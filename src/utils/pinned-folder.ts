/** Holds a folder open while files in it are changed, so that a link put in its way leads the changes nowhere else. */
import { closeSync, constants, mkdirSync, openSync, realpathSync, rmdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside } from "./path-spelling.ts";

export interface PinnedFolder {
  /** A path by which a name in exactly this folder is reached, wherever the folder's own path leads by now. */
  at(name: string): string;
  /** Absolute paths of the folders that were made for it, the outermost first. */
  readonly made: readonly string[];
  /** To be called once it is no longer needed. */
  close(): void;
}

export type PinFolder =
  | { readonly ok: true; readonly folder: PinnedFolder }
  /** `moved`: something on the way is a link by now, or was moved. `no-folder`: something on the way is a file. */
  | {
      readonly ok: false;
      readonly reason: "moved" | "missing" | "no-folder" | "refused";
      readonly message: string;
    };

export interface PinOptions {
  /** Whether folders that are missing are made. */
  readonly missing: "make" | "refuse";
}

/**
 * `folder` is absolute, without links, and inside `root`, as `realPathInside` answers it. On Linux each folder on the way is
 * opened from the one before, and no link is followed; elsewhere the way is looked at again once it is made. Throws nothing.
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

/** The root itself may be reached through links: it is where the caller says it is. */
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

/** Whether it was made now. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Takes back what was made, as far as it is still empty. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else uses it by now, and it is theirs.
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
  // A link in the place of a folder and a file in its place are told apart by nobody here: neither is gone through.
  if (error.code === "ENOTDIR")
    return { ok: false, reason: "no-folder", message: `${folder}: something on the way is no folder` };
  if (error.code === "ENOENT") return { ok: false, reason: "missing", message: `${folder} does not exist` };
  return { ok: false, reason: "refused", message: `${folder} cannot be opened or made (${error.code})` };
}
