/** Checks what `git_log` is asked for, and says what it answers. */
import { z } from "zod";
import { logCommit } from "../formats/log-commits.ts";
import { revision } from "../formats/revision.ts";

const LIMIT = { most: 1_000, usual: 50 } as const;

const filter = z
  .string()
  .min(1, "must not be empty")
  .max(1_000, "must not be longer than 1000 characters")
  .refine((text) => !text.includes("\0"), "must not hold a NUL character");

export const gitLogInput = z.strictObject({
  cwd: z.string().min(1, "must not be empty").optional(),
  range: revision.default("HEAD"),
  paths: z.array(z.string().min(1, "must not be empty")).default([]),
  limit: z.int().min(1).max(LIMIT.most).default(LIMIT.usual),
  skip: z.int().min(0).default(0),
  author: filter.optional(),
  grep: filter.optional(),
  since: filter.optional(),
  until: filter.optional(),
});

export const gitLogOutput = z.strictObject({
  commits: z.array(logCommit),
  more: z.boolean().describe("There are more commits than these."),
});
