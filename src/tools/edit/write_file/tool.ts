/** Defines the tool `write_file`: one text file in the workspace, whole or not at all. */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { WRITE_FILE_CONTRACT } from "./contract.ts";
import { writeTextFile } from "./usecase.ts";

export const writeFileTool = defineTool({
  ...WRITE_FILE_CONTRACT,
  title: "Write a file",
  effect: "writes",
  hints: { destructive: true, idempotent: true, openWorld: false },
  paths: [{ argument: "path", must: "stay-inside", absolute: "inside" }],
  notes: [
    "At most 10,000,000 characters a call.",
    "A reader sees the old file or the new one. An existing file keeps its permission bits; its other hard links keep the old content.",
    "A link is followed if it leads to a place in the workspace, and the file there is written.",
  ],
  async run({ content, mode }, { context, paths }) {
    const { path = context.workspaceRoot } = paths;
    const result = await writeTextFile({ root: context.workspaceRoot, path, content, mode });
    return result.match(success, (refusal) => refusal);
  },
});
