/** Defines what `git_log` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { describeArguments } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { logCommit } from "../formats/log-commits.ts";
import { revision } from "../formats/revision.ts";

const LIMIT = { max: 1_000, default: 50 } as const;

const filter = filledText({ max: 1_000 }).refine(
  (text) => !text.includes("\0"),
  "must not hold a NUL character",
);

export const gitLogInput = z.strictObject({
  cwd: filledText()
    .optional()
    .meta({ default: ".", description: "Workspace path to start from (default: workspace root)." }),
  range: revision
    .default("HEAD")
    .describe("Commit, branch or range (e.g. main, main..feature; default: HEAD)."),
  paths: z
    .array(filledText())
    .default([])
    .describe("Only commits that touch these files and folders, relative to cwd."),
  limit: z
    .int()
    .min(1)
    .max(LIMIT.max)
    .default(LIMIT.default)
    .describe("Most commits, 1 to 1000 (default: 50)."),
  skip: z.int().min(0).default(0).describe("Commits to leave out first (default: 0)."),
  author: filter
    .optional()
    .describe("Only commits whose author's name or mail matches this regular expression."),
  grep: filter.optional().describe("Only commits whose message matches this regular expression."),
  since: filter.optional().describe("Only commits after this date (e.g. 2026-01-31, 2 weeks ago)."),
  until: filter.optional().describe("Only commits before this date."),
});

export const gitLogOutput = z.strictObject({
  commits: z.array(logCommit),
  more: z.boolean().describe("There are more commits than these."),
});

export type GitLogInput = z.input<typeof gitLogInput>;
export type GitLogOutput = z.output<typeof gitLogOutput>;

export const GIT_LOG_TOOL_DEFINITION = describeArguments(gitLogInput, {
  name: "git_log",
  description: "Returns commits, newest first, with hash, parents, author, dates, subject and body.",
});

/** What each of its own codes means. */
export const GIT_LOG_CODES = {
  INVALID_ARGUMENT: "An argument is of the wrong kind.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git.",
  UNKNOWN_REVISION: "`range` names nothing in this repository.",
  OUTSIDE_WORKSPACE: "A path leads out of the workspace.",
  UNSAFE_REPOSITORY: "The repository is not the workspace's own; `details.at` says what to look at.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
