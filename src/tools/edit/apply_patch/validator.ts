/** Checks what `apply_patch` is asked for, and holds its limits. */
import { z } from "zod";

/** UTF-16 units. */
const LONGEST_PATCH = 10_000_000;

export const applyPatchInput = z.strictObject({
  patch: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_PATCH, `must not be longer than ${LONGEST_PATCH} characters`)
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair"),
  cwd: z.string().min(1, "must not be empty").optional(),
  dry_run: z.boolean().default(false),
});

export const applyPatchOutput = z.strictObject({
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
