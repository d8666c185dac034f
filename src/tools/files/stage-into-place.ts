/** Makes a file ready beside its place, so that all that is left to do is to move it there, which takes no time and no room. */
import { linkSync, renameSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { temporaryName, writeDurably } from "../../utils/atomic-write.ts";
import { pinFolder, removeFolders } from "../../utils/pinned-folder.ts";
import { failure, type ToolRefusal } from "../core/result.ts";
import { lookAt, type Place, pinPlace, refusalOf } from "./place.ts";
import { relativePath } from "./relative-path.ts";

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

/** A file that lies durably in the workspace under a name of its own. */
export interface StagedFile {
  /** Moves it into its place, and makes the folders that are missing. To be called once. */
  put(): Result<Written, ToolRefusal>;
  /** Removes what is left of it; to be called once, in any case. */
  discard(): void;
}

/** Nothing but the file of its own is made: it lies in the deepest folder on the way that exists. */
export async function stageIntoPlace(
  place: Place,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<Result<StagedFile, ToolRefusal>> {
  const { root, path } = place;
  // What lies beside the workspace itself is outside of it.
  if (path === root) return err(notFile(place));
  const name = temporaryName(basename(path));
  const staged = join(nearestFolder(place), name);
  const pinned = pinPlace({ root, path: staged }, "refuse");
  if (pinned.isErr()) return err(pinned.error);
  // Held until the end, so that it is found again wherever the folder is by then.
  const folder = pinned.value;
  const temporary = folder.at(name);
  const discard = () => {
    rmSync(temporary, { force: true });
    folder.close();
  };
  try {
    const before = dirname(staged) === dirname(path) ? lookAt(folder.at(basename(path))) : null;
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
  // Who may read it may run it, or nobody may.
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

/** Whether nothing was there before. */
function move(
  temporary: string,
  target: string,
  { existing, place }: WriteOptions & { readonly place: Place },
): Result<boolean, ToolRefusal> {
  try {
    const before = lookAt(target);
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
