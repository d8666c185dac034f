/** Defines the tool `git_log`: commits as data (seed 000 §9). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { GIT_LOG_CODES, GIT_LOG_TOOL_DEFINITION, gitLogInput, gitLogOutput } from "./contract.ts";
import { gitLog } from "./usecase.ts";

export const gitLogTool = defineTool({
  definition: GIT_LOG_TOOL_DEFINITION,
  title: "Git log",
  input: gitLogInput,
  output: gitLogOutput,
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  codes: GIT_LOG_CODES,
  notes: [
    "A repository without commits answers an empty list. Names are shown as `.mailmap` has them only if git is asked so.",
    "If all messages together are longer than 4,000,000 characters, fewer commits than `limit` are answered and `more` is true.",
  ],
  async run(input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const log = await gitLog({ ...options, context, cwd, input });
    return log.match(success, (refusal) => refusal);
  },
});
