/** Names the possible errors of a workspace file, and derives them from system errors (seed 004 Error Categories). */

export type FileSystemErrorType =
  | "permission_denied"
  | "directory_create_failed"
  | "file_write_failed"
  | "disk_full"
  | "file_not_found"
  /** A folder, a link, a pipe or a device is in place of the file. */
  | "not_a_file"
  | "outside_workspace"
  /** Other processes kept writing during the whole wait. */
  | "busy"
  | "canceled"
  /** The whole file was read, but it is not in the format that was written. */
  | "corrupt"
  | "unknown";

export interface FileSystemError {
  readonly type: FileSystemErrorType;
  /** Names the file and the cause. */
  readonly message: string;
}

const ALWAYS: Readonly<Record<string, FileSystemErrorType>> = {
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EROFS: "permission_denied",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
};

/**
 * The error for a system error code, raised while `doing` something with the file. Any other error is unexpected and
 * is thrown again.
 */
export function fileSystemErrorOf(
  cause: unknown,
  { file, doing }: { readonly file: string; readonly doing: "read" | "write" | "create-folder" },
): FileSystemError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (!(cause instanceof Error) || typeof code !== "string") throw cause;
  const type = ALWAYS[code] ?? otherwise(code, doing);
  return { type, message: `${file}: ${message}` };
}

function otherwise(code: string, doing: "read" | "write" | "create-folder"): FileSystemErrorType {
  if (doing === "create-folder") return "directory_create_failed";
  if (doing === "write") return "file_write_failed";
  return code === "ENOENT" ? "file_not_found" : "unknown";
}
