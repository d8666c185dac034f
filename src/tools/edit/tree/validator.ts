/** Checks what `tree` is asked for, and holds its limits. */
import { z } from "zod";

const DEPTH = { least: 1, most: 20, usual: 3 } as const;
const ENTRIES = { least: 1, most: 5_000, usual: 200 } as const;

export const treeInput = z.strictObject({
  path: z.string().min(1, "must not be empty").optional(),
  depth: z.int().min(DEPTH.least).max(DEPTH.most).default(DEPTH.usual),
  entries: z.int().min(ENTRIES.least).max(ENTRIES.most).default(ENTRIES.usual),
  kind: z.enum(["all", "directory"]).default("all"),
  hidden: z.boolean().default(false),
  ignored: z.boolean().default(false),
});

export const treeOutput = z.strictObject({
  path: z.string().describe("The folder, relative to the workspace."),
  entries: z
    .array(
      z.strictObject({
        path: z.string().describe("Relative to the workspace."),
        kind: z.enum(["directory", "file", "symlink", "other"]),
        depth: z.int().describe("1 for what lies in the folder itself."),
        size: z.int().nullable().describe("Bytes of a file; null for the rest."),
        target: z.string().nullable().describe("Where a symbolic link points, as it is written in it."),
      }),
    )
    .describe("Each folder before what lies in it; folders, files, links, each by name."),
  truncated: z.boolean().describe("Whether there were more entries than asked for."),
  left_out: z.strictObject({
    over_limit: z.int().describe("Entries beyond the limit, as far as they were looked at."),
    too_deep: z.int().describe("Folders that were listed but not opened."),
    hidden: z.int().describe("Names that begin with a dot."),
    ignored: z.int().describe("What .gitignore files name."),
    git: z.int().describe("Folders and files that belong to git itself."),
    unreadable: z.int().describe("What the system does not let be read."),
  }),
});
