/** Defines what `read_file` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { describeArguments } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";

const LINES = { min: 1, max: 5_000, default: 500 } as const;
/** UTF-16 units. */
const CHARS = { min: 100, max: 1_000_000, default: 50_000 } as const;

export const readFileInput = z.strictObject({
  path: filledText().describe("File path in workspace."),
  start_line: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .default(1)
    .describe("First line to read, counted from 1 (default: 1)."),
  max_lines: z
    .int()
    .min(LINES.min)
    .max(LINES.max)
    .default(LINES.default)
    .describe("Most lines to read (default: 500)."),
  max_chars: z
    .int()
    .min(CHARS.min)
    .max(CHARS.max)
    .default(CHARS.default)
    .describe("Most characters to read (default: 50000)."),
});

export const readFileOutput = z.strictObject({
  path: z.string().describe("Relative to the workspace, where the file really lies."),
  content: z.string().describe("The lines with their line ends, as they are."),
  start_line: z.int(),
  lines: z.int().describe("How many lines `content` holds."),
  truncated: z.boolean().describe("Whether the file goes on, or a line was cut."),
  next_start_line: z.int().nullable().describe("Where to read on; null at the end of the file."),
  total_lines: z.int().nullable().describe("Null if reading stopped before the end of the file."),
  total_bytes: z.int().describe("Size of the whole file."),
  cut_line: z.int().nullable().describe("The line that was longer than max_chars and was cut."),
  invalid_utf8: z.boolean().describe("Whether bytes that are no UTF-8 became U+FFFD."),
});

export type ReadFileInput = z.input<typeof readFileInput>;
export type ReadFileOutput = z.output<typeof readFileOutput>;

export const READ_FILE_TOOL_DEFINITION = describeArguments(readFileInput, {
  name: "read_file",
  description: "Reads a text file of the workspace, whole lines from a given line on.",
});

/** What each of its own codes means. */
export const READ_FILE_CODES = {
  INVALID_ARGUMENT: "`path` is no path, or a number is out of range.",
  NOT_FOUND: "Nothing is there.",
  NOT_FILE: "It is a folder, a pipe, a socket or a device.",
  BINARY_NOT_SUPPORTED: "There is a NUL byte in its first 8 KiB.",
  FILE_SYSTEM_ERROR: "The system does not let it be read.",
  CANCELED: "The caller stopped the call.",
} as const;
