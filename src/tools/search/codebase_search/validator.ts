/** Checks what `codebase_search` is asked for, and holds its limits. */
import { z } from "zod";
import { expandBraces, MOST_PATTERNS } from "./glob.ts";

const RESULTS = { least: 1, most: 500, usual: 50 } as const;
const CONTEXT = { least: 0, most: 10, usual: 0 } as const;
/** UTF-16 units. */
const LONGEST_QUERY = 1_000;

const oneLine = (text: string) => !/[\0\n\r]/.test(text);

export const codebaseSearchInput = z.strictObject({
  query: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_QUERY, `must not be longer than ${LONGEST_QUERY} characters`)
    .refine(oneLine, "must be one line: files are searched line by line")
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair"),
  path: z.string().min(1, "must not be empty").optional(),
  regex: z.boolean().default(false),
  case: z.enum(["smart", "sensitive", "insensitive"]).default("smart"),
  glob: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_QUERY, `must not be longer than ${LONGEST_QUERY} characters`)
    .refine(oneLine, "must be one line")
    .refine((glob) => expandBraces(glob) !== null, `must not stand for more than ${MOST_PATTERNS} patterns`)
    .optional(),
  max_results: z.int().min(RESULTS.least).max(RESULTS.most).default(RESULTS.usual),
  context_lines: z.int().min(CONTEXT.least).max(CONTEXT.most).default(CONTEXT.usual),
});

export const codebaseSearchOutput = z.strictObject({
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
        text: z.string().describe("The line, cut around the match where it is long."),
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
