/** Reads the files that a patch names, and applies its changes to copies in memory. */
import { closeSync, readFileSync } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../../core/result.ts";
import { openFile, unreadable } from "../../../files/open-file.ts";
import { relativePath } from "../../../files/relative-path.ts";

/** The present or planned state of one path. Content is bytes as UTF-16 units (latin1). */
export interface FileState {
  readonly content: string;
  readonly mode: number;
  /** Null if the patch does not mention it. */
  readonly executable: boolean | null;
}

export interface FileStates {
  /** Null if nothing is there at this step of the plan. */
  now(path: string): Result<FileState | null, ToolRefusal>;
  /** The state on disk, even if the patch has planned another one; null if nothing is there. */
  first(path: string): Result<FileState | null, ToolRefusal>;
  set(path: string, state: FileState | null): void;
  /** Each path that the patch changes, with its state on disk and its planned state. In the order of the first look. */
  changed(): readonly PlannedFile[];
}

export interface PlannedFile {
  /** Real absolute path. */
  readonly path: string;
  /** The state on disk; null if nothing is there. */
  readonly before: FileState | null;
  /** The planned state; null for nothing. */
  readonly after: FileState | null;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export function createFileStates(root: string): FileStates {
  const onDisk = new Map<string, FileState | null>();
  const later = new Map<string, FileState | null>();
  const first: FileStates["first"] = (path) => {
    const known = onDisk.get(path);
    if (known !== undefined) return ok(known);
    const read = readState(root, path);
    if (read.isOk()) onDisk.set(path, read.value);
    return read;
  };
  return {
    first,
    now: (path) => {
      const planned = later.get(path);
      return planned === undefined ? first(path) : ok(planned);
    },
    set: (path, state) => void later.set(path, state),
    changed: () => [...later].map(([path, after]) => ({ path, before: onDisk.get(path) ?? null, after })),
  };
}

/** Null if nothing is there. */
export function readState(root: string, path: string): Result<FileState | null, ToolRefusal> {
  const opened = openFile(root, path);
  if (opened.isErr()) return opened.error.error.code === "NOT_FOUND" ? ok(null) : err(opened.error);
  const { descriptor, stats } = opened.value;
  try {
    if (stats.size > MAX_FILE_BYTES) return err(tooLarge(relativePath(root, path)));
    const content = readFileSync(descriptor).toString("latin1");
    return ok({ content, mode: Number(stats.mode) & 0o777, executable: null });
  } catch (error) {
    return err(unreadable(relativePath(root, path), error as NodeJS.ErrnoException));
  } finally {
    closeSync(descriptor);
  }
}

function tooLarge(path: string): ToolRefusal {
  return failure("SIZE_LIMIT_EXCEEDED", `${path} is larger than 16 MiB.`, { details: { path } });
}
