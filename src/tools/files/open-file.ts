/** Opens a file that a tool was asked to read, and answers with a code if it cannot. */
import { err, ok, type Result } from "neverthrow";
import { type OpenInside, openInside } from "../../utils/files/open-inside.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "../core/result.ts";
import { relativePath } from "./relative-path.ts";

type OpenedFile = Extract<OpenInside, { ok: true }>;

/** A plain file at a real absolute path in the workspace. The caller closes the descriptor. */
export function openFile(root: string, path: string): Result<OpenedFile, ToolRefusal> {
  const opened = openInside(root, path, "file");
  if (opened.ok) return ok(opened);
  const shown = relativePath(root, path);
  const details = { details: { path: shown } };
  if (opened.reason === "moved")
    return err(
      deniedBySandbox("OUTSIDE_WORKSPACE", `${shown} was moved or replaced while it was looked at.`, details),
    );
  if (opened.reason === "missing") return err(failure("NOT_FOUND", `${shown} is gone.`, details));
  if (opened.reason === "other")
    return err(
      failure("NOT_FILE", `${shown} is no plain file: it is a folder, a pipe or a device.`, details),
    );
  return err(failure("FILE_SYSTEM_ERROR", `${opened.message}.`, { retriable: true, ...details }));
}

/** The answer if an opened file cannot be read. `shown` is relative to the workspace. */
export function unreadable(shown: string, error: NodeJS.ErrnoException): ToolRefusal {
  const message = `${shown} cannot be read (${error.code ?? error.message}).`;
  return failure("FILE_SYSTEM_ERROR", message, { retriable: true, details: { path: shown } });
}
