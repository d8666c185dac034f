/** Reads some lines of a text file, and stops as soon as it has them. */
import { closeSync, read } from "node:fs";
import { promisify } from "node:util";
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { openFile, unreadable } from "../../files/open-file.ts";
import { relativePath } from "../../files/relative-path.ts";
import type { ReadFileOutput } from "./contract.ts";
import { createLineReader } from "./read_lines.ts";

interface FileToRead {
  readonly root: string;
  /** Real absolute path in it. */
  readonly path: string;
  readonly startLine: number;
  readonly maxLines: number;
  readonly maxChars: number;
  readonly signal: AbortSignal | null;
}

const CHUNK = 64 * 1024;
/** A file with a NUL byte in its first bytes is not text. */
const SNIFFED = 8 * 1024;

const readBytes = promisify(read);

export async function readTextFile(file: FileToRead): Promise<Result<ReadFileOutput, ToolRefusal>> {
  const opened = openFile(file.root, file.path);
  if (opened.isErr()) return err(opened.error);
  const { descriptor, stats } = opened.value;
  try {
    const shown = relativePath(file.root, file.path);
    const reader = createLineReader({ first: file.startLine, max: file.maxLines, maxChars: file.maxChars });
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let position = 0; ; ) {
      if (file.signal?.aborted) return err(failure("CANCELED", "The call was canceled."));
      const { bytesRead } = await readBytes(descriptor, chunk, 0, CHUNK, position);
      if (position === 0 && chunk.subarray(0, Math.min(bytesRead, SNIFFED)).includes(0))
        return err(binary(shown));
      if (bytesRead === 0) reader.end();
      if (bytesRead === 0 || reader.push(chunk.subarray(0, bytesRead))) break;
      position += bytesRead;
    }
    const { content, lines, nextLine, totalLines, cutLine, invalidUtf8 } = reader.found();
    return ok({
      path: shown,
      content,
      start_line: file.startLine,
      lines,
      truncated: nextLine !== null || cutLine !== null,
      next_start_line: nextLine,
      total_lines: totalLines,
      total_bytes: Number(stats.size),
      cut_line: cutLine,
      invalid_utf8: invalidUtf8,
    });
  } catch (error) {
    return err(unreadable(relativePath(file.root, file.path), error as NodeJS.ErrnoException));
  } finally {
    closeSync(descriptor);
  }
}

function binary(path: string): ToolRefusal {
  return failure("BINARY_NOT_SUPPORTED", `${path} is no text file.`, { details: { path } });
}
