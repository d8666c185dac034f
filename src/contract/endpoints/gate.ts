/** Describes the endpoints of the publish gate and of checks: what they came to, and running a check on the base. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { nothing } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const finding = z.object({
  /** Null for a check. */
  path: z.string().nullable(),
  line: z.number().nullable(),
  message: z.string(),
  /** A credential, masked behind its first characters; null for all else. */
  masked: z.string().nullable(),
  remedy: z.string().nullable(),
  /** Whether `POST /attempts/ID/publish { allow, reason }` may let it through. */
  allowable: z.boolean(),
});

const row = z.object({
  /** A rule's id, or `check:NAME`. */
  rule: z.string(),
  title: z.string(),
  verdict: z.enum(["pass", "reject", "report", "overridden", "not_run"]),
  level: z.enum(["reject", "report", "off"]),
  findings: z.array(finding),
  /** How many more there are, which are not listed. */
  more: z.number(),
  override: z
    .object({
      by: z.string(),
      reason: z.string(),
      at: z.string().nullable(),
      /** No commit and no push has used it yet: `POST /attempts/ID/take-back { allow }` takes it back. */
      can_take_back: z.boolean(),
    })
    .nullable(),
  /** What was allowed and taken back, the oldest first. */
  taken_back: z.array(
    z.object({
      by: z.string(),
      reason: z.string(),
      at: z.string(),
      taken_back_by: z.string().nullable(),
      taken_back_at: z.string(),
    }),
  ),
  why_not_run: z.string().nullable(),
});
export type GateRowDocument = z.infer<typeof row>;

const ended = {
  exit_code: z.number().nullable(),
  duration_ms: z.number(),
  /** The end of its output. */
  output: z.string(),
  at: z.string(),
};

const check = z.object({
  name: z.string(),
  command: z.string(),
  required: z.boolean(),
  /** Of the newest run that has a result. */
  last: z
    .object({
      run: z.string(),
      tree: z.string(),
      outcome: z.enum(["passed", "failed", "timed_out", "stopped"]),
      ...ended,
    })
    .nullable(),
  /** On the base, by this very definition; null if nobody asked for it. */
  base: z
    .object({
      sha: z.string(),
      /** `not_run`: `output` says why its files or its setup could not be made. */
      outcome: z.enum(["passed", "failed", "timed_out", "not_run"]),
      ...ended,
    })
    .nullable(),
  /** It runs on the base now, or is about to. */
  base_running: z.boolean(),
});

const checksAnswer = z.object({ items: z.array(check), next: z.null(), base_sha: z.string().nullable() });

export const GATE_ENDPOINTS = {
  gate: {
    ...ROUTES.gate,
    summary:
      "Shows rule by rule, and check by check, what the publish gate came to on what the attempt left last.",
    request: nothing,
    answer: z.object({
      /** The last run that came to the gate; null if none did. */
      run: z.string().nullable(),
      tree: z.string().nullable(),
      rows: z.array(row),
      /** Files that a person leaves out of this attempt's commits; `POST /attempts/ID/take-back` lets them in. */
      left_out: z.array(z.object({ path: z.string(), by: z.string().nullable(), at: z.string() })),
    }),
    codes: ["not_found", "bad_configuration"],
  },
  checks: {
    ...ROUTES.checks,
    summary: "Lists the checks with their last results in the attempt and on its base.",
    request: nothing,
    answer: checksAnswer,
    codes: ["not_found", "bad_configuration"],
  },
  checkBase: {
    ...ROUTES.checkBase,
    summary: "Runs a declared check on the attempt's base, unless its result there is known.",
    request: z.strictObject({
      name: z.string().min(1),
      /** Runs it although a result is known. */
      again: z.boolean().default(false),
    }),
    answer: checksAnswer,
    codes: ["not_found", "bad_configuration", "unknown_check", "run_not_ended", "scripts_not_trusted"],
  },
} as const satisfies Endpoints;
