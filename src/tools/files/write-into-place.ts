/** Puts a file into the workspace whole or not at all, in exactly the folder that was judged. */
import { chmodSync, lstatSync, rmSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { type PinnedFolder, pinFolder, removeFolders } from "../../utils/pinned-folder.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "../core/result.ts";
import { relativePath } from "./relative-path.ts";

export interface Place {
  /** Real absolute path of the workspace. */
  readonly root: string;
  /** Real absolute path in it, as `confinePath` answers it. */
  readonly path: string;
}

export interface WriteOptions {
  /** `refuse`: fails with `ALREADY_EXISTS` where anything is there, also when it came a moment ago. */
  readonly existing: "replace" | "refuse";
  /** Whether it may be run; as the file is, unless told. */
  readonly executable?: boolean;
  /** Permission bits for a file that is not there; those of any new file, unless told. */
  readonly mode?: number;
}

export interface Written {
  readonly created: boolean;
  /** Folders that were made for it. */
  readonly made: readonly string[];
}

/** An existing file keeps its permission bits. Missing folders are made, and taken away again where the write fails. */
export async function writeIntoPlace(
  place: Place,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<Result<Written, ToolRefusal>> {
  const pinned = pin(place, "make");
  if (pinned.isErr()) return err(pinned.error);
  const folder = pinned.value;
  try {
    const target = folder.at(basename(place.path));
    const before = lookAt(target);
    if (before !== null && !before.isFile()) return err(notFile(place));
    const mode = before === null ? (options.mode ?? "usual") : before.mode & 0o777;
    await writeFileAtomic(target, data, { mode, existing: options.existing });
    if (options.executable !== undefined) setExecutable(target, options.executable);
    return ok({ created: before === null, made: folder.made });
  } catch (error) {
    removeFolders(folder.made);
    return err(refusalOf(place, error as NodeJS.ErrnoException));
  } finally {
    folder.close();
  }
}

/** Removes a plain file. */
export function removeFromPlace(place: Place): Result<void, ToolRefusal> {
  const pinned = pin(place, "refuse");
  if (pinned.isErr()) return err(pinned.error);
  const folder = pinned.value;
  try {
    rmSync(folder.at(basename(place.path)));
    return ok(undefined);
  } catch (error) {
    return err(refusalOf(place, error as NodeJS.ErrnoException));
  } finally {
    folder.close();
  }
}

function pin({ root, path }: Place, missing: "make" | "refuse"): Result<PinnedFolder, ToolRefusal> {
  const pinned = pinFolder(root, dirname(path), { missing });
  if (pinned.ok) return ok(pinned.folder);
  const details = { path: relativePath(root, path) };
  const message = `${details.path}: ${pinned.message}.`;
  if (pinned.reason === "moved") return err(deniedBySandbox("OUTSIDE_WORKSPACE", message, { details }));
  if (pinned.reason === "no-folder") return err(failure("NOT_DIRECTORY", message, { details }));
  if (pinned.reason === "missing") return err(failure("NOT_FOUND", message, { details }));
  return err(failure("FILE_SYSTEM_ERROR", message, { retriable: true, details }));
}

function lookAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Who may read it may run it, or nobody may. */
function setExecutable(path: string, executable: boolean): void {
  const { mode } = lstatSync(path);
  const readers = (mode & 0o444) >> 2;
  chmodSync(path, executable ? (mode & 0o777) | readers : mode & 0o666);
}

function notFile({ root, path }: Place): ToolRefusal {
  const shown = relativePath(root, path);
  return failure("NOT_FILE", `${shown} is there and no plain file.`, { details: { path: shown } });
}

function refusalOf({ root, path }: Place, error: NodeJS.ErrnoException): ToolRefusal {
  const shown = relativePath(root, path);
  const details = { path: shown };
  if (error.code === "EEXIST") return failure("ALREADY_EXISTS", `${shown} exists already.`, { details });
  if (error.code === "ENOENT") return failure("NOT_FOUND", `${shown} is gone.`, { details });
  const why = error.code ?? error.message;
  return failure("FILE_SYSTEM_ERROR", `${shown} could not be written: ${why}.`, { retriable: true, details });
}
