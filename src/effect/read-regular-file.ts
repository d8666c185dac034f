/** Reads a text file that another process may have replaced, without following links or waiting for a pipe. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { type FileSystemError, fileSystemErrorOf } from "./file-system-error.ts";

// Windows has neither flag; the opened file is checked all the same.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** The errors of opening a link without following it: Linux and macOS, then FreeBSD. */
const LINK_CODES = ["ELOOP", "EMLINK"];

/**
 * UTF-8 without a byte order mark. Bad bytes, and more than `maxBytes`, are `corrupt`. Messages call the file
 * `name`.
 */
export async function readRegularFile(
  path: string,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): Promise<Result<string, FileSystemError>> {
  try {
    const file = await open(path, FLAGS);
    try {
      return await readOpened(file, { name, maxBytes });
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (LINK_CODES.includes(String((cause as NodeJS.ErrnoException).code)))
      return err({ type: "not_a_file", message: `${name} is a symbolic link` });
    return err(fileSystemErrorOf(cause, { file: name, doing: "read" }));
  }
}

async function readOpened(
  file: FileHandle,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): Promise<Result<string, FileSystemError>> {
  const stats = await file.stat();
  if (!stats.isFile()) return err({ type: "not_a_file", message: `${name} is not a file` });
  if (stats.size > maxBytes)
    return err({ type: "corrupt", message: `${name} has more than ${maxBytes} bytes` });
  const bytes = await file.readFile();
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return err({ type: "corrupt", message: `${name} is not UTF-8` });
  }
}
