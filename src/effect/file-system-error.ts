/** Names what can go wrong with a file in a workspace, and reads it from what the system says (seed 004, Effect Layer). */

export type FileSystemErrorType =
  | "permission_denied"
  | "directory_create_failed"
  | "file_write_failed"
  | "disk_full"
  | "file_not_found"
  /** A folder, a link, a pipe or a device stands where a file should be. */
  | "not_a_file"
  | "outside_workspace"
  /** Others kept writing for as long as was waited. */
  | "busy"
  | "canceled"
  /** It was read whole, and is not what was written. */
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

/** What the system calls by a code, while `doing` something with the file; anything else is no failure but a surprise, and thrown on. */
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
