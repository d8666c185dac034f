/** Defines the tool `codebase_search`: lines of the workspace that hold a text, the most relevant first (seed 001 §9). */
import { defineTool } from "../../core/tool.ts";
import { CODEBASE_SEARCH_CONTRACT } from "./contract.ts";
import { searchCodebase } from "./usecase.ts";

export const codebaseSearchTool = defineTool({
  ...CODEBASE_SEARCH_CONTRACT,
  title: "Search the code",
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "path", must: "exist", absolute: "inside" }],
  notes: [
    "Order: lines that seem to define what matched, whole words, parts of words. In each, files whose name matches come first, then path and line. The same files give the same answer.",
    "What stands in files is searched, not their names: `tree` lists those. A name that matches only brings the lines of its file forward.",
    "ripgrep, if it is installed, sorts out files without a match; the lines are read here. Without it, all files are read; also if it fails or takes over two seconds. The answer is the same. `meta.engine` says which it was.",
    "Not searched: what .gitignore files and `.git/info/exclude` name (unless `path` itself is ignored), what belongs to git, and links. Binary files are not searched either: UTF-16, or with a zero byte in the first 8,192. Hidden files are searched. `meta.skipped` counts what was opened, or could not be, and was left out.",
    "Of a line 10,000 characters are searched and 400 shown. A character is one UTF-16 unit, and bytes that are no UTF-8 are U+FFFD. The whole search takes at most ten seconds, five of them to list files. What was found until then is returned with `timed_out`.",
    "Regular expressions have no look-around and no back-references, so that each ends in bounded time. `\\d`, `\\w`, `\\s` and `\\b` are those of Unicode; groups only group; nothing matches a zero byte.",
  ],
  async run(input, { context, paths, signal = null }) {
    const { path = context.workspaceRoot } = paths;
    const result = await searchCodebase({
      root: context.workspaceRoot,
      path,
      query: { text: input.query, isRegex: input.regex, case: input.case },
      glob: input.glob ?? null,
      max: input.max_results,
      contextLines: input.context_lines,
      host: context.host,
      signal,
    });
    return result.match(
      (answer) => answer,
      (refusal) => refusal,
    );
  },
});
