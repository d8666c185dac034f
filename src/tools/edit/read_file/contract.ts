/** Defines what `read_file` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { wholeNumber } from "../../core/whole-number.ts";

const readFileInput = z.strictObject({
  path: filledText().describe("File path in workspace."),
  start_line: wholeNumber("First line to read, counted from 1", {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
  }),
  max_lines: wholeNumber("Most lines to read", { min: 1, max: 5_000, default: 500 }),
  max_chars: wholeNumber("Most characters to read", { min: 100, max: 1_000_000, default: 50_000 }),
});

const readFileOutput = z.strictObject({
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

export const READ_FILE_CONTRACT = contractOf({
  name: "read_file",
  description: "Reads a text file of the workspace, whole lines from a given line on.",
  input: readFileInput,
  output: readFileOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "`path` is no path, or a number is out of range.",
    NOT_FOUND: "Nothing is there.",
    NOT_FILE: "It is a folder, a pipe, a socket or a device.",
    BINARY_NOT_SUPPORTED: "There is a NUL byte in its first 8 KiB.",
    FILE_SYSTEM_ERROR: "The system does not let it be read.",
    CANCELED: "The caller stopped the call.",
  },
});
