/** Defines what `apply_patch` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";

/** UTF-16 units. */
const MAX_PATCH_LENGTH = 10_000_000;

const applyPatchInput = z.strictObject({
  patch: filledText({ max: MAX_PATCH_LENGTH })
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair")
    .describe(
      "A unified diff (as of git diff or diff -u), or the form from *** Begin Patch to *** End Patch.",
    ),
  cwd: filledText().optional().meta({
    default: ".",
    description: "Folder in workspace that the paths of the patch are relative to (default: workspace root).",
  }),
  dry_run: z.boolean().default(false).describe("Only says what would be done (default: false)."),
});

const applyPatchOutput = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string().describe("Relative to the workspace: where the file is now, or was."),
      old_path: z.string().nullable().describe("Where it was renamed or copied from."),
      action: z.enum(["created", "modified", "deleted", "renamed"]),
      additions: z.int().describe("Lines."),
      deletions: z.int().describe("Lines."),
      hunks: z.array(
        z.strictObject({
          line: z.int().describe("Line of the old content, from 1."),
          offset: z.int().describe("How many lines further down than the patch says."),
        }),
      ),
      line_ends_adapted: z
        .boolean()
        .describe("Whether it fitted only without a look at line ends; added lines got those of the file."),
    }),
  ),
  dry_run: z.boolean(),
});

export type ApplyPatchInput = z.input<typeof applyPatchInput>;
export type ApplyPatchOutput = z.output<typeof applyPatchOutput>;
/** What was done to one file. */
export type PatchedFile = ApplyPatchOutput["files"][number];

export const APPLY_PATCH_CONTRACT = contractOf({
  name: "apply_patch",
  description:
    "Applies a patch to files of the workspace: all of it or nothing. Makes, changes, renames and deletes files, and says what it did to each.",
  input: applyPatchInput,
  output: applyPatchOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument is wrong, or the patch names a path that is none.",
    INVALID_PATCH: "The text is no patch; `details.patch_line` says where.",
    UNSUPPORTED_CHANGE: "It changes a binary file, a symbolic link, a submodule, or is the diff of a merge.",
    PATCH_FAILED:
      "A hunk does not fit, or fits in several places, or a file holds more than what deletes it. `details` name the file, the hunk, its line in the patch and lines of the file.",
    NOT_DIRECTORY: "`cwd` does not exist or is no folder, or a path leads through a file.",
    NOT_FOUND: "A file that it changes, renames or deletes does not exist.",
    ALREADY_EXISTS: "A file that it makes exists.",
    NOT_FILE: "A path of it is a folder in which something would stay, a pipe or a device.",
    SIZE_LIMIT_EXCEEDED: "A file is larger than 16 MiB.",
    GIT_DIRECTORY: "A path of it belongs to git itself.",
    CONFLICT: "A file was changed by another program at the same time.",
    FILE_SYSTEM_ERROR:
      "A file could not be read or written. What was written before is taken back, or named in `details.left`.",
  },
});
