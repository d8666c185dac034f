/** Says what `git_command` takes and answers (seed 002, "Tool Schema"), with a `cwd` beside the seed's three arguments. */
import { z } from "zod";
import type { ToolDefinition } from "../../core/definition.ts";
import { parsedOutput } from "../formats/machine-form.ts";

/** What a model is told. */
export const GIT_COMMAND_TOOL_DEFINITION = {
  name: "git_command",
  description:
    "Execute git command in the project directory. Subcommands that read always run, those that change something may need confirmation, and destructive ones need allow_destructive. Answers output, stderr and exit code, and structured data for status, diff, log, branch, blame and stash list.",
  parameters: {
    type: "object",
    properties: {
      subcommand: {
        type: "string",
        description: "Git subcommand to run (e.g. status, log, add); no options in front of it.",
      },
      args: {
        type: "array",
        items: { type: "string" },
        description:
          'Arguments of the subcommand, one each (e.g. ["-5", "--oneline"]); options by their full names.',
      },
      allow_destructive: {
        type: "boolean",
        default: false,
        description: "Allows what destroys work, such as push --force or reset --hard (default: false).",
      },
      cwd: {
        type: "string",
        default: ".",
        description: "Working directory path in workspace (default: workspace root).",
      },
    },
    required: ["subcommand"],
  },
} as const satisfies ToolDefinition;

export const gitCommandInput = z.strictObject({
  subcommand: z.string().min(1, "must not be empty"),
  args: z.array(z.string()).default([]),
  allow_destructive: z.boolean().default(false),
  cwd: z.string().min(1, "must not be empty").optional(),
});

export const gitCommandOutput = z.strictObject({
  output: z.string().describe("What git printed, at most 200,000 characters."),
  stderr: z.string(),
  exit_code: z.int().describe("124 if the time limit ended it."),
  truncated: z.boolean().describe("Output or stderr was longer than what is answered."),
  parsed: parsedOutput
    .nullable()
    .describe("Of status, diff, log, branch, blame and stash list if they succeeded; else null."),
});

export type GitCommandInput = z.input<typeof gitCommandInput>;
export type GitCommandOutput = z.output<typeof gitCommandOutput>;

/** The options beside the subcommand and its arguments. */
export type GitCommandOptions = Omit<GitCommandInput, "subcommand" | "args">;

/** Its own codes, with their meanings. */
export const GIT_COMMAND_CODES = {
  INVALID_ARGUMENT: "`subcommand` is missing or no text, `args` is no list of texts, or `cwd` is no path.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  SUBCOMMAND_NOT_ALLOWED: "It is none of the subcommands that are allowed.",
  OPTION_NOT_ALLOWED: "An argument is unknown, shortened, or would run a program or write a file.",
  DESTRUCTIVE_BLOCKED: "The call would destroy work; `allow_destructive: true` lets it run.",
  OUTSIDE_WORKSPACE: "An argument leads out of the workspace.",
  GIT_DIRECTORY: "Something would be made or moved in a folder of git's own, through a link or by its name.",
  UNSAFE_URL:
    "An address is of a kind that is not allowed, or leads to a repository here that was not granted.",
  READ_ONLY: "The call would change the repository, and only reading is allowed here.",
  POLICY_DENIED: "The tool is not allowed, or the person who was asked said no.",
  UNSAFE_REPOSITORY:
    "The repository names a program that the call would run, or is not the workspace's own; `details.at` says what to look at.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
