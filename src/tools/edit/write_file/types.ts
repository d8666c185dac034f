/** The input and output of `write_file`. */
import type { z } from "zod";
import type { writeFileInput, writeFileOutput } from "./validator.ts";

export type WriteFileInput = z.input<typeof writeFileInput>;
export type WriteFileOutput = z.output<typeof writeFileOutput>;
