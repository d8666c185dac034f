/** Defines what `write_file` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText, text } from "../../core/text.ts";

/** UTF-16 units. */
const MAX_CONTENT_LENGTH = 10_000_000;

const writeFileInput = z.strictObject({
  path: filledText()
    .refine((path) => !/[\\/]\.{0,2}$|^\.{1,2}$/.test(path), "must end with the name of a file")
    .describe("File path in workspace."),
  content: text({ max: MAX_CONTENT_LENGTH })
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair")
    .describe("The whole new content, stored as UTF-8."),
  mode: z
    .enum(["write", "create", "replace"])
    .default("write")
    .describe(
      "create fails if the file exists, replace fails if it does not, write does either (default: write).",
    ),
});

const writeFileOutput = z.strictObject({
  path: z.string().describe("Relative to the workspace, where the file really lies."),
  created: z.boolean().describe("Whether it was not there before."),
  bytes_written: z.int(),
});

export type WriteFileInput = z.input<typeof writeFileInput>;
export type WriteFileOutput = z.output<typeof writeFileOutput>;

export const WRITE_FILE_CONTRACT = contractOf({
  name: "write_file",
  description: "Writes a text file in the workspace, whole or not at all; missing folders are made.",
  input: writeFileInput,
  output: writeFileOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "`path` is no path of a file, or `content` is too long or no text.",
    ALREADY_EXISTS: '`mode` is `"create"` and something is there.',
    NOT_FOUND: '`mode` is `"replace"` and nothing is there.',
    NOT_FILE: "A folder, a pipe, a socket or a device is there.",
    NOT_DIRECTORY: "A part of the path is no folder.",
    GIT_DIRECTORY: "It belongs to git itself (`.git` and what lies in it).",
    FILE_SYSTEM_ERROR: "The system does not let it be written, or the disk is full.",
  },
});
