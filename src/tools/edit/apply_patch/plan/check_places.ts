/** Checks that the planned files can exist: none lies below a file or in place of a kept folder. */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../../core/result.ts";
import { relativePath } from "../../../files/relative-path.ts";
import type { PlannedFile } from "./file_states.ts";

export function checkPlaces(root: string, files: readonly PlannedFile[]): Result<void, ToolRefusal> {
  const planned = new Map(files.map(({ path, after }) => [path, after !== null]));
  const known = new Map<string, boolean>();
  /** Whether something that is not a folder will be there. */
  const isFile = (path: string): boolean => {
    const answer = planned.get(path) ?? known.get(path) ?? !(isFolder(path) ?? true);
    known.set(path, answer);
    return answer;
  };
  for (const { path, after } of files) {
    if (after === null) continue;
    const above = fileAbove(root, path, isFile);
    if (above !== null) return err(noFolder(relativePath(root, path), relativePath(root, above)));
    const kept = isFolder(path) ? keptIn(path, planned) : null;
    if (kept !== null) return err(noFile(relativePath(root, path), relativePath(root, kept)));
  }
  return ok(undefined);
}

/** Null if nothing is there. A link is not a folder. */
export function isFolder(path: string): boolean | null {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    // Below a file there is nothing either. If the path cannot be examined, opening it reports the error.
    return null;
  }
}

function fileAbove(root: string, path: string, isFile: (path: string) => boolean): string | null {
  for (let folder = dirname(path); folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (isFile(folder)) return folder;
  return null;
}

/** Something in a folder that the patch does not remove. */
function keptIn(folder: string, planned: ReadonlyMap<string, boolean>): string | null {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const kept = entry.isDirectory() ? keptIn(path, planned) : planned.get(path) === false ? null : path;
    if (kept !== null) return kept;
  }
  return null;
}

function noFolder(path: string, above: string): ToolRefusal {
  return failure("NOT_DIRECTORY", `${path} cannot be made: ${above} is no folder. Nothing was written.`, {
    details: { path },
  });
}

function noFile(path: string, kept: string): ToolRefusal {
  const message = `${path} is a folder, and ${kept} would stay in it. Nothing was written.`;
  return failure("NOT_FILE", message, { details: { path } });
}
