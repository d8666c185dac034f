/** Describes the endpoints of an attempt's worktree: how it stands among all else, and a terminal in it. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { flag, nothing, wholeNumber } from "./fields.ts";
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
  /** A further run may be asked for: it is open, or a clean-up put it away and not a person. */
  continues: z.boolean(),
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

const sized = (most: number) =>
  z.number().int("must be a whole number").min(1, "must be 1 or more").max(most, `must be at most ${most}`);
const size = z.strictObject({ columns: sized(1000), rows: sized(500) });

const named = z.object({ id: z.string() });

const NONE = ["no_such_terminal"] as const;

export const TERMINAL_ENDPOINTS = {
  openTerminal: {
    ...ROUTES.openTerminal,
    summary:
      "Opens a shell in the attempt's worktree, confined as its checks are; git only reads. It ends when nobody reads it for half a minute.",
    request: size,
    answer: named,
    codes: [
      "not_found",
      "bad_configuration",
      "run_not_ended",
      "attempt_removed",
      "held_elsewhere",
      "scripts_not_trusted",
      "terminal_off",
      "terminal_unavailable",
      "too_many_terminals",
    ],
  },
  followTerminal: {
    ...ROUTES.followTerminal,
    summary:
      "Streams what the terminal shows, from the byte after the last event on. The last event is `end`, or `replaced`: a new reader takes the place of the one before.",
    request: z.strictObject({ after: wholeNumber.default(0) }),
    /** The bytes, in base64. */
    answer: z.object({ data: z.base64() }),
    codes: NONE,
  },
  typeInTerminal: {
    ...ROUTES.typeInTerminal,
    summary: "Types into the terminal.",
    request: z.strictObject({ data: z.string().min(1).max(65_536, "must have at most 65536 characters") }),
    answer: named,
    codes: NONE,
  },
  resizeTerminal: {
    ...ROUTES.resizeTerminal,
    summary: "Tells the terminal how many columns and rows a person sees.",
    request: size,
    answer: named,
    codes: NONE,
  },
  closeTerminal: {
    ...ROUTES.closeTerminal,
    summary: "Ends the terminal and every program in it.",
    request: nothing,
    answer: named,
    codes: NONE,
  },
} as const satisfies Endpoints;
