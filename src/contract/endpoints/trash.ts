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
import { listOf, nothing, pageQuery, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

export const trashFields = trashEntrySchema.shape;
const trashEntry = z.object(documentOf(trashFields));
export type TrashDocument = z.infer<typeof trashEntry>;

export type ClearedAnswer = z.infer<typeof emptiedTrashSchema>;
export type CleanAnswer = z.infer<typeof cleanedSchema>;

const cleanRequest = z
  .strictObject({
    /** The id of a task, an attempt or a run, or the beginning of one; null for all attempts. */
    id: text.nullable().default(null),
    /** The same for several at once. */
    ids: z.array(text).min(1).max(200).nullable().default(null),
    yes: z.boolean().default(false),
  })
  .refine(({ id, ids }) => id === null || ids === null, "takes either `id` or `ids`");

const storageItem = z.object({
  /** Null for what belongs to no attempt. */
  attempt: z.string().nullable(),
  task: z.string().nullable(),
  title: z.string(),
  repository: z.object({ id: z.string(), name: z.string() }).nullable(),
  agent: z.string().nullable(),
  state: z.string().nullable(),
  path: z.string().nullable(),
  branch: z.string().nullable(),
  /** As the last scan found it; null before, or if there are too many files to count. */
  bytes: z.number().nullable(),
  scanned_at: z.string().nullable(),
  /** When its newest run ended, or it was made. */
  last_used_at: z.string().nullable(),
  /** Something in it is not committed; null if git was not asked. */
  dirty: z.boolean().nullable(),
  /** Its commits are nowhere else; null if git was not asked. */
  unpushed: z.boolean().nullable(),
  /** What `clean` would do; null before the first scan. `kept` goes only if it is named. */
  verdict: z.enum(["may_go", "kept", "working", "not_ours"]).nullable(),
  reason: z.string().nullable(),
  remedy: z.string().nullable(),
});
export type StorageItem = z.infer<typeof storageItem>;

const storedLog = z.object({
  run: z.string(),
  number: z.number().int(),
  attempt: z.string(),
  agent: z.string(),
  task: z.string(),
  title: z.string(),
  repository: z.object({ id: z.string(), name: z.string() }),
  /** On the disk of this worker. */
  bytes: z.number(),
  /** In the database, for the other workers. */
  sent_bytes: z.number(),
  /** Null while the run goes on. */
  ended_at: z.string().nullable(),
  /** What goes on stays in any case. */
  verdict: z.enum(["may_go", "kept", "working"]),
  reason: z.string(),
});
export type StoredLog = z.infer<typeof storedLog>;

const storageAnswer = listOf(storageItem).extend({
  /** In bytes, from the last scan; null before, or if there are too many files to count. */
  totals: z.object({
    worktrees: z.number().nullable(),
    trash: z.number().nullable(),
    logs: z.number().nullable(),
    database: z.number().nullable(),
    clones: z.number().nullable(),
    /** Of the logs that workers sent to the database; 0 for a data folder's own database. */
    sent_logs: z.number().nullable(),
    free: z.number(),
  }),
  scanned_at: z.string().nullable(),
  scanning: z.boolean(),
});

export const TRASH_ENDPOINTS = {
  clean: {
    ...ROUTES.clean,
    summary: "Puts finished attempts into the trash. Without `yes` it only says which.",
    request: cleanRequest,
    answer: cleanedSchema,
    codes: ["not_found", "ambiguous_id"],
  },
  storage: {
    ...ROUTES.storage,
    summary: "Lists what takes room, and which of it may go, from the last scan; the oldest first.",
    request: pageQuery,
    answer: storageAnswer,
    codes: ["bad_cursor"],
  },
  scanStorage: {
    ...ROUTES.scanStorage,
    summary: "Measures again, in the background.",
    request: nothing,
    answer: z.object({ scanning: z.boolean(), scanned_at: z.string().nullable() }),
    codes: [],
  },
  storedLogs: {
    ...ROUTES.storedLogs,
    summary: "Lists what agents printed, run by run, the largest first, from the last scan.",
    request: pageQuery,
    answer: listOf(storedLog).extend({ count: z.number().int(), scanned_at: z.string().nullable() }),
    codes: ["bad_cursor"],
  },
  removeLogs: {
    ...ROUTES.removeLogs,
    summary: "Deletes for good what the agents of these runs printed. All else of the runs stays.",
    request: z.strictObject({ runs: z.array(text).min(1).max(200) }),
    answer: z.object({
      removed: z.array(z.object({ run: z.string(), bytes: z.number() })),
      kept: z.array(z.object({ run: z.string(), reason: z.string() })),
    }),
    codes: ["not_found"],
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
      "held_elsewhere",
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
