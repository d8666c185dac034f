/** Defines the tool `git_diff`: the differences, as numbers and as a patch (seed 000 §9). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { GIT_DIFF_CODES, GIT_DIFF_TOOL_DEFINITION, gitDiffInput, gitDiffOutput } from "./contract.ts";
import { gitDiff } from "./usecase.ts";

export const gitDiffTool = defineTool({
  definition: GIT_DIFF_TOOL_DEFINITION,
  title: "Git diff",
  input: gitDiffInput,
  output: gitDiffOutput,
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  codes: GIT_DIFF_CODES,
  notes: [
    "Paths in the answer are relative to the root of the repository. Files that git does not track are not shown.",
    "`main...feature` as `base` compares the point where feature left main with feature.",
    "External diff programs and text conversions are off; filters that the repository itself configures are refused by name.",
  ],
  async run(input, { context, paths, ...options }) {
    const { cwd = context.workspaceRoot } = paths;
    const difference = await gitDiff({ ...options, context, cwd, input });
    return difference.match(success, (refusal) => refusal);
  },
});
