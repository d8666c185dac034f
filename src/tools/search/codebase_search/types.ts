/** The input and output of `codebase_search`. */
import type { z } from "zod";
import type { codebaseSearchInput, codebaseSearchOutput } from "./validator.ts";

export type CodebaseSearchInput = z.input<typeof codebaseSearchInput>;
export type CodebaseSearchOutput = z.output<typeof codebaseSearchOutput>;
/** One line that matched. */
export type FoundLine = CodebaseSearchOutput["matches"][number];
