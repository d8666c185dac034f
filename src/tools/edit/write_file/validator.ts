/** Checks what `write_file` is asked for, and holds its limits. */
import { z } from "zod";

/** UTF-16 units. */
const LONGEST_CONTENT = 10_000_000;

export const writeFileInput = z.strictObject({
  path: z
    .string()
    .min(1, "must not be empty")
    .refine((path) => !/[\\/]\.{0,2}$|^\.{1,2}$/.test(path), "must end with the name of a file"),
  content: z
    .string()
    .max(LONGEST_CONTENT, `must not be longer than ${LONGEST_CONTENT} characters`)
    .refine((text) => text.isWellFormed(), "must not hold half of a surrogate pair"),
  mode: z.enum(["write", "create", "replace"]).default("write"),
});

export const writeFileOutput = z.strictObject({
  path: z.string().describe("Relative to the workspace, where the file really lies."),
  created: z.boolean().describe("Whether it was not there before."),
  bytes_written: z.int(),
});
