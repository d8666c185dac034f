/** Checks what `git_diff` is asked for, and says what it answers. */
import { z } from "zod";
import { diffFile } from "../formats/diff-files.ts";
import { revision } from "../formats/revision.ts";

const PATCH = { least: 1_000, most: 1_000_000, usual: 100_000 } as const;
const MOST_CONTEXT = 1_000;

export const gitDiffInput = z
  .strictObject({
    cwd: z.string().min(1, "must not be empty").optional(),
    base: revision.optional(),
    head: revision.optional(),
    staged: z.boolean().default(false),
    paths: z.array(z.string().min(1, "must not be empty")).default([]),
    context_lines: z.int().min(0).max(MOST_CONTEXT).default(3),
    stat_only: z.boolean().default(false),
    max_chars: z.int().min(PATCH.least).max(PATCH.most).default(PATCH.usual),
  })
  .refine(({ base, head }) => head === undefined || base !== undefined, {
    path: ["head"],
    message: "needs base",
  })
  .refine(({ staged, head }) => !staged || head === undefined, {
    path: ["head"],
    message: "cannot be compared with what is staged",
  });

export const gitDiffOutput = z.strictObject({
  files: z.array(diffFile),
  additions: z.int().describe("Lines, of all files."),
  deletions: z.int(),
  patch: z.string().nullable().describe("Null where only the numbers were asked for."),
  truncated: z.boolean().describe("The patch or the list of files is longer than what is answered."),
});
