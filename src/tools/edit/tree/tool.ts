/** Defines the tool `tree`: what lies in a folder of the workspace (seed 000 §9). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { TREE_CONTRACT } from "./contract.ts";
import { listTree } from "./usecase.ts";

export const treeTool = defineTool({
  ...TREE_CONTRACT,
  title: "List files",
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "path", must: "be-directory", absolute: "inside" }],
  notes: [
    "At most 20 levels and 5,000 entries a call. A limit cuts what is deep first.",
    "Links are shown with where they point, and never followed. What belongs to git itself is never listed.",
    "What `.gitignore` files from the workspace down and its `.git/info/exclude` name is ignored, tracked or not. Lists outside of the workspace are not read.",
  ],
  async run({ path: _, entries, ...wanted }, { context, paths }) {
    const { path = context.workspaceRoot } = paths;
    return success(listTree({ ...wanted, root: context.workspaceRoot, path, max: entries }));
  },
});
