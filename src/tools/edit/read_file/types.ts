/** The input and output of `read_file`. */
import type { z } from "zod";
import type { readFileInput, readFileOutput } from "./validator.ts";

export type ReadFileInput = z.input<typeof readFileInput>;
export type ReadFileOutput = z.output<typeof readFileOutput>;
