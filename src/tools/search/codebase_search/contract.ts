/** Defines what `codebase_search` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { wholeNumber } from "../../core/whole-number.ts";
import { expandBraces, MAX_PATTERNS } from "./glob.ts";

/** UTF-16 units. */
const MAX_QUERY_LENGTH = 1_000;

const oneLine = (text: string) => !/[\0\n\r]/.test(text);

const codebaseSearchInput = z.strictObject({
  query: filledText({ max: MAX_QUERY_LENGTH })
    .refine(oneLine, "must be one line: files are searched line by line")
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair")
    .describe("Text to search for, or a regular expression with regex."),
  path: filledText()
    .optional()
    .meta({ default: ".", description: "Folder or file in workspace to search (default: workspace root)." }),
  regex: z.boolean().default(false).describe("Whether query is a regular expression (default: false)."),
  case: z
    .enum(["smart", "sensitive", "insensitive"])
    .default("smart")
    .describe("smart is case-sensitive only if query has a capital letter (default: smart)."),
  glob: filledText({ max: MAX_QUERY_LENGTH })
    .refine(oneLine, "must be one line")
    .refine((glob) => expandBraces(glob) !== null, `must not stand for more than ${MAX_PATTERNS} patterns`)
    .optional()
    .describe(
      "Only files that match, as a line of .gitignore would (e.g. *.{ts,tsx}, src/**/*.py, !*.test.ts).",
    ),
  max_results: wholeNumber("Most lines to return", { min: 1, max: 500, default: 50 }),
  context_lines: wholeNumber("Lines to show before and after each", { min: 0, max: 10, default: 0 }),
});

const codebaseSearchOutput = z.strictObject({
  matches: z
    .array(
      z.strictObject({
        path: z.string().describe("Relative to the workspace."),
        line: z.int().describe("From 1."),
        column: z.int().describe("Where the best match in the line begins, in characters from 1."),
        kind: z
          .enum(["definition", "word", "part"])
          .describe(
            "Whether the line seems to define what matched, or it is whole words, or parts of words.",
          ),
        text: z.string().describe("The line, cut around the match if it is long."),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    )
    .describe(
      "Definitions, whole words, parts of words; in each first files named like the query, then by path and line.",
    ),
  total_matches: z.int().describe("Lines that match, returned or not."),
  matched_files: z.int(),
  truncated: z.boolean().describe("Whether there is more than was returned or searched."),
  timed_out: z.boolean(),
});

export type CodebaseSearchInput = z.input<typeof codebaseSearchInput>;
export type CodebaseSearchOutput = z.output<typeof codebaseSearchOutput>;
/** One line that matched. */
export type FoundLine = CodebaseSearchOutput["matches"][number];

export const CODEBASE_SEARCH_CONTRACT = contractOf({
  name: "codebase_search",
  description:
    "Searches the text files of the workspace, line by line, for a text or a regular expression. The most relevant lines come first.",
  input: codebaseSearchInput,
  output: codebaseSearchOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument has a wrong type or is out of range, or `path` is no path.",
    INVALID_REGEX: "`query` is no regular expression that can be searched for; `details.at` says where.",
    NOT_FOUND: "`path` does not exist.",
    NOT_FILE: "`path` is a pipe or a device.",
    GIT_DIRECTORY: "`path` belongs to git itself.",
    CANCELED: "The caller stopped the call.",
  },
});
