/** Describes the endpoints that tidy up: clean, and the trash. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, text } from "./fields.ts";

const trashEntry = z.object({
  /** The id of the operation that put it there. */
  id: z.string(),
  attempt: z.string(),
  path: z.string(),
  snapshot: z.string().nullable(),
  /** Null if it was not counted. */
  bytes: z.number().nullable(),
  deleted_at: z.string(),
});
export type TrashDocument = z.infer<typeof trashEntry>;

/** What is deleted, or would be, and what stays with its reason. */
const clearedAnswer = z.object({
  removed: z.array(z.object({ id: z.string(), bytes: z.number() })),
  kept: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type ClearedAnswer = z.infer<typeof clearedAnswer>;

const cleanThing = {
  /** The id of the attempt; for anything else, the id under which `doctor` shows it. */
  id: z.string(),
  what: z.string(),
  whose: z.string().nullable(),
  path: z.string().nullable(),
};

/** What a clean-up removed, or would remove, and what it kept. */
const cleanAnswer = z.object({
  removed: z.array(z.object({ ...cleanThing, bytes: z.number(), why: z.string() })),
  kept: z.array(
    z.object({
      ...cleanThing,
      bytes: z.number().nullable(),
      reason: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
});
export type CleanAnswer = z.infer<typeof cleanAnswer>;

export const TRASH_ENDPOINTS = {
  clean: {
    method: "POST",
    path: "/clean",
    summary: "Puts finished attempts into the trash. Without `yes` it only says which.",
    request: z.strictObject({
      /** The id of a task, an attempt or a run, or the beginning of one; null for all attempts. */
      id: text.nullable().default(null),
      yes: z.boolean().default(false),
    }),
    answer: cleanAnswer,
    codes: ["not_found", "ambiguous_id"],
  },
  trash: {
    method: "GET",
    path: "/trash",
    summary: "Lists the worktrees in the trash, the newest first.",
    request: nothing,
    answer: listOf(trashEntry),
    codes: [],
  },
  restoreTrash: {
    method: "POST",
    path: "/trash/:id/restore",
    summary: "Brings an attempt back: branch, worktree and every file.",
    request: nothing,
    answer: z.object({ entry: z.string(), path: z.string() }),
    codes: [
      "not_found",
      "ambiguous_id",
      "attempt_open",
      "not_cleaned_up",
      "not_in_trash",
      "entry_replaced",
      "path_taken",
      "restore_failed",
    ],
  },
  emptyTrash: {
    method: "POST",
    path: "/trash/empty",
    summary: "Deletes the trash for good. Without `yes` it only says what would go.",
    request: z.strictObject({ yes: z.boolean().default(false) }),
    answer: clearedAnswer,
    codes: [],
  },
} as const satisfies Endpoints;
