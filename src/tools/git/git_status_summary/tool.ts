/** The door of `git_status_summary`: branch and raw status of a folder in the workspace (seed 000). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { GIT_STATUS_SUMMARY_TOOL_DEFINITION } from "./definition.ts";
import { GIT_STATUS_SUMMARY_CODES } from "./error.ts";
import { gitStatusSummary } from "./usecase.ts";
import { gitStatusSummaryInput, gitStatusSummaryOutput } from "./validator.ts";

export const gitStatusSummaryTool = defineTool({
  definition: GIT_STATUS_SUMMARY_TOOL_DEFINITION,
  title: "Git status",
  input: gitStatusSummaryInput,
  output: gitStatusSummaryOutput,
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "refused" }],
  codes: GIT_STATUS_SUMMARY_CODES,
  notes: ["`raw` is never cut: a status of more than 64 Mi characters is an error."],
  async run(_input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const summary = await gitStatusSummary(cwd, { ...options, host: context.host });
    return summary.match(success, (refusal) => refusal);
  },
});
