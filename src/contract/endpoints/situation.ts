/** Describes the endpoint of how an attempt stands among all else. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { flag } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const drift = z.object({
  /** Such as `origin/main`, as the remote was last seen. */
  base: z.string(),
  base_sha: z.string(),
  /** Commits of the attempt that the base lacks, and the reverse. */
  ahead: z.number(),
  behind: z.number(),
  merges: z.enum(["cleanly", "conflict", "unknown"]),
  /** Those that conflict. */
  files: z.array(z.string()),
  reason: z.string().nullable(),
});

const why = z.string().nullable();

/** A part is null if it is not known; `reasons` says why. */
const situationAnswer = z.object({
  /** Of the run that works. */
  processes: z.array(z.object({ pid: z.number(), command: z.string(), rss_bytes: z.number() })).nullable(),
  drift: drift.nullable(),
  worktree: z.object({ exists: z.boolean(), dirty: z.boolean().nullable(), bytes: z.number().nullable() }),
  /** Files that changed in the worktree since the last run left it. */
  own_edits: z.array(z.object({ path: z.string(), status: z.string() })).nullable(),
  /** Files that other open attempts of the repository change too. */
  overlap: z
    .array(z.object({ path: z.string(), attempt: z.string(), task: z.string(), title: z.string() }))
    .nullable(),
  /** When git was asked last; null if it was not since the attempt changed. */
  looked_at: z.string().nullable(),
  reasons: z.object({ processes: why, drift: why, worktree: why, own_edits: why, overlap: why }),
});

export const SITUATION_ENDPOINTS = {
  situation: {
    ...ROUTES.situation,
    summary: "Shows an attempt's processes, drift, worktree, a person's edits, and what overlaps with it.",
    request: z.strictObject({
      /** Ask git now. Without it no git is started, and what it said last is shown. */
      look: flag.default(false),
    }),
    answer: situationAnswer,
    codes: ["not_found", "bad_configuration"],
  },
} as const satisfies Endpoints;
