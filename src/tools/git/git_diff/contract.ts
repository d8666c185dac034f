/** Defines what `git_diff` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { describeArguments } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { diffFile } from "../formats/diff-files.ts";
import { revision } from "../formats/revision.ts";

const PATCH = { min: 1_000, max: 1_000_000, default: 100_000 } as const;
const MAX_CONTEXT = 1_000;

/** Only an own property counts: an inherited revision was not asked for. */
const names = <Key extends string>(input: { readonly [Name in Key]?: unknown }, key: Key): boolean =>
  Object.hasOwn(input, key) && input[key] !== undefined;

export const gitDiffInput = z
  .strictObject({
    cwd: filledText()
      .optional()
      .meta({ default: ".", description: "Workspace path to start from (default: workspace root)." }),
    base: revision
      .optional()
      .describe(
        "Commit, branch or range to compare with (e.g. HEAD, main, main...feature); without it the index.",
      ),
    head: revision.optional().describe("Commit or branch to compare base with; without it the working tree."),
    staged: z.boolean().default(false).describe("Compare what is staged with base or HEAD (default: false)."),
    paths: z.array(filledText()).default([]).describe("Only these files and folders, relative to cwd."),
    context_lines: z
      .int()
      .min(0)
      .max(MAX_CONTEXT)
      .default(3)
      .describe("Unchanged lines around each change, 0 to 1000 (default: 3)."),
    stat_only: z.boolean().default(false).describe("Leave the patch out (default: false)."),
    max_chars: z
      .int()
      .min(PATCH.min)
      .max(PATCH.max)
      .default(PATCH.default)
      .describe("Most characters of the patch, 1000 to 1000000 (default: 100000)."),
  })
  .refine((input) => !names(input, "head") || names(input, "base"), {
    path: ["head"],
    message: "needs base",
  })
  .refine((input) => !input.staged || !names(input, "head"), {
    path: ["head"],
    message: "cannot be compared with what is staged",
  });

export const gitDiffOutput = z.strictObject({
  files: z.array(diffFile),
  additions: z.int().describe("Lines, of all files."),
  deletions: z.int(),
  patch: z.string().nullable().describe("Null if only the numbers were asked for."),
  truncated: z.boolean().describe("The patch or the list of files is longer than what is answered."),
});

export type GitDiffInput = z.input<typeof gitDiffInput>;
export type GitDiffOutput = z.output<typeof gitDiffOutput>;

export const GIT_DIFF_TOOL_DEFINITION = describeArguments(gitDiffInput, {
  name: "git_diff",
  description:
    "Returns which files differ, by how many lines, and the patch. It compares working tree and index, index and a commit, or two commits.",
});

/** What each of its own codes means. */
export const GIT_DIFF_CODES = {
  INVALID_ARGUMENT: "An argument is of the wrong kind, or `head` comes without `base` or with `staged`.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git.",
  UNKNOWN_REVISION: "`base` or `head` names nothing in this repository.",
  OUTSIDE_WORKSPACE: "A path leads out of the workspace.",
  UNSAFE_REPOSITORY:
    "The repository names a program that the call would run, or is not the workspace's own. `details.at` says what to look at.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
