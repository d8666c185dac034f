/** Prepares a file beside its place, so that only a move is left, which takes no time and no space. */
import { linkSync, renameSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { temporaryName, writeDurably } from "../../utils/files/atomic-write.ts";
import { pinFolder, removeFolders } from "../../utils/files/pinned-folder.ts";
import { failure, type ToolRefusal } from "../core/result.ts";
import { lstatOrNull, type Place, pinPlace, refusalOf } from "./place.ts";
import { relativePath } from "./relative-path.ts";

export interface WriteOptions {
  /** `refuse`: fails with `ALREADY_EXISTS` if anything is there, even if it appeared a moment ago. */
  readonly existing: "replace" | "refuse";
  /** Whether the file is executable. Default: as the existing file is. */
  readonly executable?: boolean;
  /** Permission bits for a new file. Default: those of any new file. */
  readonly mode?: number;
}

export interface Written {
  readonly created: boolean;
  /** Folders that were made for it. */
  readonly made: readonly string[];
}

/** A durable file in the workspace with a temporary name. */
export interface StagedFile {
  /** Moves it into its place, and makes the missing folders. Call it once. */
  put(): Result<Written, ToolRefusal>;
  /** Removes what is left of it. Call it once, in any case. */
  discard(): void;
}

/** Makes only the temporary file, in the deepest existing folder on the way. */
export async function stageIntoPlace(
  place: Place,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<Result<StagedFile, ToolRefusal>> {
  const { root, path } = place;
  // A place beside the workspace itself is outside of it.
  if (path === root) return err(notFile(place));
  const name = temporaryName(basename(path));
  const staged = join(nearestFolder(place), name);
  const pinned = pinPlace({ root, path: staged }, "refuse");
  if (pinned.isErr()) return err(pinned.error);
  // Held until the end, so that the file is found even if the folder moves.
  const folder = pinned.value;
  const temporary = folder.at(name);
  const discard = () => {
    rmSync(temporary, { force: true });
    folder.close();
  };
  try {
    const before = dirname(staged) === dirname(path) ? lstatOrNull(folder.at(basename(path))) : null;
    if (before !== null && !before.isFile() && options.existing === "replace") {
      discard();
      return err(notFile(place));
    }
    await writeDurably(temporary, data, modeOf(before, options));
    return ok({ put: () => put(temporary, place, options), discard });
  } catch (error) {
    discard();
    return err(refusalOf(place, error as NodeJS.ErrnoException));
  }
}

function nearestFolder({ root, path }: Place): string {
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const pinned = pinFolder(root, folder, { missing: "refuse" });
    if (pinned.ok) pinned.folder.close();
    if (pinned.ok || (pinned.reason !== "missing" && pinned.reason !== "no-folder")) return folder;
  }
  return root;
}

function modeOf(before: Stats | null, { mode, executable }: WriteOptions): number | "usual" | "runnable" {
  const bits = before?.isFile() ? before.mode & 0o777 : mode;
  if (bits === undefined) return executable ? "runnable" : "usual";
  if (executable === undefined) return bits;
  // If the file is executable, everyone who may read it may run it. If not, no user may.
  return executable ? bits | ((bits & 0o444) >> 2) : bits & 0o666;
}

function put(temporary: string, place: Place, options: WriteOptions): Result<Written, ToolRefusal> {
  return pinPlace(place, "make").andThen((folder) => {
    const moved = move(temporary, folder.at(basename(place.path)), { ...options, place });
    folder.close();
    if (moved.isErr()) removeFolders(folder.made);
    return moved.map((created) => ({ created, made: folder.made }));
  });
}

/** True if nothing was there before. */
function move(
  temporary: string,
  target: string,
  { existing, place }: WriteOptions & { readonly place: Place },
): Result<boolean, ToolRefusal> {
  try {
    const before = lstatOrNull(target);
    if (before !== null && !before.isFile()) return err(notFile(place));
    if (existing === "refuse") linkSync(temporary, target);
    else renameSync(temporary, target);
    return ok(before === null);
  } catch (error) {
    return err(refusalOf(place, error as NodeJS.ErrnoException));
  }
}

function notFile({ root, path }: Place): ToolRefusal {
  const shown = relativePath(root, path);
  return failure("NOT_FILE", `${shown} is there and no plain file.`, { details: { path: shown } });
}
