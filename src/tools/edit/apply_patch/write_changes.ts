/** Writes the result of a patch: all of it, or nothing. */
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { removeFolders } from "../../../utils/files/pinned-folder.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { pinPlace, removeEmptyFolder, removeFromPlace } from "../../files/place.ts";
import { relativePath } from "../../files/relative-path.ts";
import { type StagedFile, stageIntoPlace } from "../../files/stage-into-place.ts";
import { syncFolders, writeIntoPlace } from "../../files/write-into-place.ts";
import { isFolder } from "./plan/check_places.ts";
import { type PlannedFile, readState } from "./plan/file_states.ts";

/** A planned file with its staged content; null if the file is to be removed. */
interface ReadyFile {
  readonly file: PlannedFile;
  readonly staged: StagedFile | null;
}

interface Done {
  readonly file: PlannedFile;
  /** Folders that were made for it. */
  readonly made: readonly string[];
  /** Whether an empty folder was removed for it. */
  readonly wasFolder: boolean;
}

/**
 * First, all new content is made durable beside its place. If the disk is full or the process dies then, every file
 * is as it was. Then everything is moved, and no other code of this process runs in between.
 */
export async function writeChanges(
  root: string,
  files: readonly PlannedFile[],
): Promise<Result<void, ToolRefusal>> {
  const ready: ReadyFile[] = [];
  try {
    for (const file of files) {
      const staged = await stage(root, file);
      if (staged.isErr()) return err(await takeBack(root, [], staged.error));
      ready.push({ file, staged: staged.value });
    }
    return await moveAll(root, ready);
  } finally {
    for (const { staged } of ready) staged?.discard();
  }
}

async function stage(root: string, file: PlannedFile): Promise<Result<StagedFile | null, ToolRefusal>> {
  const { path, before, after } = file;
  if (after === null) return ok(null);
  return stageIntoPlace({ root, path }, Buffer.from(after.content, "latin1"), {
    existing: before === null ? "refuse" : "replace",
    ...(after.executable === null ? {} : { executable: after.executable }),
    ...(after.mode === 0 ? {} : { mode: after.mode }),
  });
}

/** Removes first, so that a folder can replace a file, and a file a folder. */
async function moveAll(root: string, ready: readonly ReadyFile[]): Promise<Result<void, ToolRefusal>> {
  const changed = ready.find(({ file }) => hasChanged(root, file));
  if (changed !== undefined) return err(conflict(relativePath(root, changed.file.path)));
  const order = ready.toSorted((a, b) => Number(a.staged !== null) - Number(b.staged !== null));
  const done: Done[] = [];
  for (const { file, staged } of order) {
    const moved = staged === null ? removeOne(root, file) : putOne(root, file, staged);
    if (moved.isErr()) return err(await takeBack(root, done, moved.error));
    done.push(moved.value);
  }
  await syncFolders(ready.map(({ file }) => dirname(file.path)));
  return ok(undefined);
}

function hasChanged(root: string, { path, before }: PlannedFile): boolean {
  // If something has appeared at an empty place, the later write of a file finds it.
  if (before === null) return false;
  const current = readState(root, path);
  return current.isErr() || current.value?.content !== before.content || current.value.mode !== before.mode;
}

function removeOne(root: string, file: PlannedFile): Result<Done, ToolRefusal> {
  const removed = file.before === null ? ok(undefined) : removeFromPlace({ root, path: file.path });
  return removed.map(() => ({ file, made: [], wasFolder: false }));
}

function putOne(root: string, file: PlannedFile, staged: StagedFile): Result<Done, ToolRefusal> {
  const wasFolder = file.before === null && isFolder(file.path) === true;
  const free = wasFolder ? removeEmptyFolder({ root, path: file.path }) : ok(undefined);
  return free.andThen(() => staged.put()).map(({ made }) => ({ file, made, wasFolder }));
}
/** The refusal to answer with: the one that stopped the work, and what could not be undone, if anything. */
async function takeBack(root: string, done: readonly Done[], cause: ToolRefusal): Promise<ToolRefusal> {
  const left: string[] = [];
  for (const { file, made, wasFolder } of done.toReversed()) {
    const undone = await undo(root, file);
    if (undone.isErr()) left.push(relativePath(root, file.path));
    else removeFolders(made);
    if (wasFolder) pinPlace({ root, path: join(file.path, "any") }, "make").map(({ close }) => close());
  }
  const { code, message, retriable, details } = cause.error;
  const rest =
    left.length === 0
      ? "Nothing was changed."
      : `What was done to ${left.join(", ")} could not be taken back.`;
  return {
    ...failure(code, `${message} ${rest}`, { retriable, details: { ...details, left } }),
    ...kindOf(cause),
  };
}

function kindOf({ status, reason }: ToolRefusal): Pick<ToolRefusal, "status" | "reason"> {
  return { status, reason };
}

async function undo(root: string, { path, before, after }: PlannedFile): Promise<Result<void, ToolRefusal>> {
  if (before === null) return after === null ? ok(undefined) : removeFromPlace({ root, path });
  const restored = await writeIntoPlace({ root, path }, Buffer.from(before.content, "latin1"), {
    existing: "replace",
    mode: before.mode,
    executable: (before.mode & 0o111) !== 0,
  });
  return restored.map(() => undefined);
}

function conflict(path: string): ToolRefusal {
  const message = `${path} was changed while the patch was worked out; nothing was written.`;
  return failure("CONFLICT", message, { retriable: true, details: { path } });
}
