/** Describes the endpoints of what a person has looked at: files of a patch, and runs. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { nothing, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const viewedAnswer = z.object({
  items: z.array(
    z.object({
      path: z.string(),
      at: z.string(),
      /** The file's patch is another one since. */
      changed: z.boolean(),
    }),
  ),
  next: z.null(),
  /** The newest run that was looked at; null before. */
  seen_run: z.string().nullable(),
  seen_at: z.string().nullable(),
});

export const VIEWED_ENDPOINTS = {
  viewed: {
    ...ROUTES.viewed,
    summary: "Lists the files of the patch that a person has looked at, and the newest run that was seen.",
    request: nothing,
    answer: viewedAnswer,
    codes: ["not_found", "git_failed"],
  },
  markViewed: {
    ...ROUTES.markViewed,
    summary: "Marks a file of the patch as looked at, or takes the mark away.",
    request: z.strictObject({ path: z.string().min(1), viewed: z.boolean() }),
    answer: z.object({ path: z.string(), viewed: z.boolean(), at: z.string().nullable() }),
    codes: ["not_found", "file_not_changed", "git_failed"],
  },
  markSeen: {
    ...ROUTES.markSeen,
    summary: "Records the newest run that a person has looked at.",
    request: z.strictObject({
      /** Null: the last one that has ended. */
      run: text.nullable().default(null),
    }),
    answer: z.object({ run: z.string().nullable() }),
    codes: ["not_found"],
  },
} as const satisfies Endpoints;
