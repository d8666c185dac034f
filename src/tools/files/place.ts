/** Holds a place in the workspace for making or removing a file, so that no planted link can redirect it. */
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { type PinnedFolder, pinFolder } from "../../utils/files/pinned-folder.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "../core/result.ts";
import { relativePath } from "./relative-path.ts";

export interface Place {
  /** Real absolute path of the workspace. */
  readonly root: string;
  /** Real absolute path in it, as `confinePath` returns it. */
  readonly path: string;
}

/** Removes a plain file. */
export function removeFromPlace(place: Place): Result<void, ToolRefusal> {
  return inFolderOf(place, (target) => rmSync(target));
}

function inFolderOf(place: Place, act: (target: string) => void): Result<void, ToolRefusal> {
  return pinPlace(place, "refuse").andThen((folder) => {
    try {
      act(folder.at(basename(place.path)));
      return ok(undefined);
    } catch (error) {
      return err(refusalOf(place, error as NodeJS.ErrnoException));
    } finally {
      folder.close();
    }
  });
}

/** Removes a folder that holds at most empty folders. */
export function removeEmptyFolder(place: Place): Result<void, ToolRefusal> {
  const { root, path } = place;
  return pinPlace({ root, path: join(path, "any") }, "refuse").andThen((inner) => {
    const names = readdirSync(inner.at("."));
    inner.close();
    for (const name of names) {
      const removed = removeEmptyFolder({ root, path: join(path, name) });
      if (removed.isErr()) return removed;
    }
    return inFolderOf(place, (target) => rmdirSync(target));
  });
}

/** Holds the folder of a place. */
export function pinPlace(
  { root, path }: Place,
  missing: "make" | "refuse",
): Result<PinnedFolder, ToolRefusal> {
  const pinned = pinFolder(root, dirname(path), { missing });
  if (pinned.ok) return ok(pinned.folder);
  const details = { path: relativePath(root, path) };
  const message = `${details.path}: ${pinned.message}.`;
  if (pinned.reason === "moved") return err(deniedBySandbox("OUTSIDE_WORKSPACE", message, { details }));
  if (pinned.reason === "no-folder") return err(failure("NOT_DIRECTORY", message, { details }));
  if (pinned.reason === "missing") return err(failure("NOT_FOUND", message, { details }));
  return err(failure("FILE_SYSTEM_ERROR", message, { retriable: true, details }));
}

/** Turns an error of the file system into a code of the tools. */
export function refusalOf({ root, path }: Place, error: NodeJS.ErrnoException): ToolRefusal {
  const shown = relativePath(root, path);
  const details = { path: shown };
  if (error.code === "EEXIST") return failure("ALREADY_EXISTS", `${shown} exists already.`, { details });
  if (error.code === "ENOENT") return failure("NOT_FOUND", `${shown} is gone.`, { details });
  const why = error.code ?? error.message;
  return failure("FILE_SYSTEM_ERROR", `${shown} could not be written: ${why}.`, { retriable: true, details });
}

/** Null if nothing is there. A link itself is examined, not its target. */
export function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
