/** Defines what `tree` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { wholeNumber } from "../../core/whole-number.ts";

const treeInput = z.strictObject({
  path: filledText()
    .optional()
    .meta({ default: ".", description: "Folder in workspace (default: workspace root)." }),
  depth: wholeNumber("How many levels below the folder", { min: 1, max: 20, default: 3 }),
  entries: wholeNumber("Most entries to list", { min: 1, max: 5_000, default: 200 }),
  kind: z
    .enum(["all", "directory"])
    .default("all")
    .describe("Whether to list everything or only folders (default: all)."),
  hidden: z
    .boolean()
    .default(false)
    .describe("Whether to list names that begin with a dot (default: false)."),
  ignored: z
    .boolean()
    .default(false)
    .describe("Whether to list what .gitignore files name (default: false)."),
});

const treeOutput = z.strictObject({
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

export type TreeInput = z.input<typeof treeInput>;
export type TreeOutput = z.output<typeof treeOutput>;

export const TREE_CONTRACT = contractOf({
  name: "tree",
  description: "Lists files and folders of the workspace as a tree, without what git ignores.",
  input: treeInput,
  output: treeOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "`path` is no path, or a number is out of range.",
    NOT_DIRECTORY: "`path` does not exist or is no folder.",
  },
});
