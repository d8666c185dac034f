/** Defines the tool `read_file`: some lines of a text file in the workspace. */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { READ_FILE_CONTRACT } from "./contract.ts";
import { readTextFile } from "./usecase.ts";

export const readFileTool = defineTool({
  ...READ_FILE_CONTRACT,
  title: "Read a file",
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "path", must: "exist", absolute: "inside" }],
  notes: [
    "At most 5,000 lines and 1,000,000 characters a call; a file of any size can be read piece by piece.",
    "A line that would not fit is left for the next call. A line that is longer than `max_chars` alone is cut, and named.",
    "Line ends and a byte order mark are kept as they are.",
    "A character is a UTF-16 unit, as everywhere in the toolkit; a cut never splits a surrogate pair.",
  ],
  async run(input, { context, paths, signal = null }) {
    const result = await readTextFile({
      root: context.workspaceRoot,
      path: paths.path ?? context.workspaceRoot,
      startLine: input.start_line,
      maxLines: input.max_lines,
      maxChars: input.max_chars,
      signal,
    });
    return result.match(success, (refusal) => refusal);
  },
});
