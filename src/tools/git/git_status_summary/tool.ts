/** Defines the tool `git_status_summary`: branch and raw status of a folder in the workspace (seed 000 §8). */
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
  notes: [
    "`raw` is never cut: a status of more than 64 Mi characters is an error.",
    "Nothing that the repository names is run: hooks, `core.fsmonitor` and filters of its own are off. Git LFS as it is installed stays.",
    "If filters of the repository were kept from running, `meta.filters_off` names them. A file that such a filter changes may then count as modified.",
    "Two git processes, no more. Variables `GIT_*` of the caller are not handed on.",
  ],
  async run(_input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const summary = await gitStatusSummary(cwd, { ...options, context });
    return summary.match(
      (answer) => answer,
      (refusal) => refusal,
    );
  },
});
