/** Describes the endpoints that tidy up: clean, and the trash. */
import { z } from "zod";
import {
  cleanedSchema,
  emptiedTrashSchema,
  restoredEntrySchema,
  trashEntrySchema,
} from "../../domain/trash/tidied.ts";
import { documentOf } from "../document-of.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

export const trashFields = trashEntrySchema.shape;
const trashEntry = z.object(documentOf(trashFields));
export type TrashDocument = z.infer<typeof trashEntry>;

export type ClearedAnswer = z.infer<typeof emptiedTrashSchema>;
export type CleanAnswer = z.infer<typeof cleanedSchema>;

export const TRASH_ENDPOINTS = {
  clean: {
    ...ROUTES.clean,
    summary: "Puts finished attempts into the trash. Without `yes` it only says which.",
    request: z.strictObject({
      /** The id of a task, an attempt or a run, or the beginning of one; null for all attempts. */
      id: text.nullable().default(null),
      yes: z.boolean().default(false),
    }),
    answer: cleanedSchema,
    codes: ["not_found", "ambiguous_id"],
  },
  trash: {
    ...ROUTES.trash,
    summary: "Lists the worktrees in the trash, the newest first.",
    request: nothing,
    answer: listOf(trashEntry),
    codes: [],
  },
  restoreTrash: {
    ...ROUTES.restoreTrash,
    summary: "Brings an attempt back: branch, worktree and every file.",
    request: nothing,
    answer: restoredEntrySchema,
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
    ...ROUTES.emptyTrash,
    summary: "Deletes the trash for good. Without `yes` it only says what would go.",
    request: z.strictObject({ yes: z.boolean().default(false) }),
    answer: emptiedTrashSchema,
    codes: [],
  },
} as const satisfies Endpoints;
