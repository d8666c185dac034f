/** Checks what `read_file` is asked for, and holds its limits. */
import { z } from "zod";

const LINES = { least: 1, most: 5_000, usual: 500 } as const;
/** UTF-16 units. */
const CHARS = { least: 100, most: 1_000_000, usual: 50_000 } as const;

export const readFileInput = z.strictObject({
  path: z.string().min(1, "must not be empty"),
  start_line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
  max_lines: z.int().min(LINES.least).max(LINES.most).default(LINES.usual),
  max_chars: z.int().min(CHARS.least).max(CHARS.most).default(CHARS.usual),
});

export const readFileOutput = z.strictObject({
  path: z.string().describe("Relative to the workspace, where the file really lies."),
  content: z.string().describe("The lines with their line ends, as they are."),
  start_line: z.int(),
  lines: z.int().describe("How many lines `content` holds."),
  truncated: z.boolean().describe("Whether the file goes on, or a line was cut."),
  next_start_line: z.int().nullable().describe("Where to read on; null at the end of the file."),
  total_lines: z.int().nullable().describe("Null where reading stopped before the end of the file."),
  total_bytes: z.int().describe("Size of the whole file."),
  cut_line: z.int().nullable().describe("The line that was longer than max_chars and was cut."),
  invalid_utf8: z.boolean().describe("Whether bytes that are no UTF-8 became U+FFFD."),
});
