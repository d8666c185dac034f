/** Writes what a patch comes to, and takes everything back where one file cannot be written. */
import { err, ok, type Result } from "neverthrow";
import { removeFolders } from "../../../utils/pinned-folder.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { relativePath } from "../../files/relative-path.ts";
import { removeFromPlace, writeIntoPlace } from "../../files/write-into-place.ts";
import { type FileState, readState } from "./file_states.ts";

export interface PlannedFile {
  /** Real absolute path. */
  readonly path: string;
  /** What is on disk, null where nothing is. */
  readonly before: FileState | null;
  /** What shall be there, null for nothing. */
  readonly after: FileState | null;
}

interface Done {
  readonly file: PlannedFile;
  /** Folders that were made for it. */
  readonly made: readonly string[];
}

/** Deletes first, so that a folder may come where a file was; each file appears whole. */
export async function writeChanges(
  root: string,
  files: readonly PlannedFile[],
): Promise<Result<void, ToolRefusal>> {
  const changed = files.find(({ path, before }) => hasChanged(root, path, before));
  if (changed !== undefined) return err(conflict(relativePath(root, changed.path)));
  const order = files.toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null));
  const done: Done[] = [];
  for (const file of order) {
    const written = await writeOne(root, file);
    if (written.isErr()) return err(await takeBack(root, done, written.error));
    done.push({ file, made: written.value });
  }
  return ok(undefined);
}

function hasChanged(root: string, path: string, before: FileState | null): boolean {
  const now = readState(root, path);
  return now.isErr() || now.value?.stamp !== before?.stamp;
}

async function writeOne(
  root: string,
  { path, before, after }: PlannedFile,
): Promise<Result<readonly string[], ToolRefusal>> {
  if (after === null) return before === null ? ok([]) : removeFromPlace({ root, path }).map(() => []);
  const written = await writeIntoPlace({ root, path }, Buffer.from(after.content, "latin1"), {
    existing: before === null ? "refuse" : "replace",
    ...(after.executable === null ? {} : { executable: after.executable }),
    ...(after.mode === 0 ? {} : { mode: after.mode }),
  });
  return written.map(({ made }) => made);
}

/** The refusal to answer with: the one that stopped the work, and what could not be taken back, if anything. */
async function takeBack(root: string, done: readonly Done[], cause: ToolRefusal): Promise<ToolRefusal> {
  const left: string[] = [];
  for (const { file, made } of done.toReversed()) {
    const undone = await undo(root, file);
    if (undone.isErr()) left.push(relativePath(root, file.path));
    else removeFolders(made);
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
