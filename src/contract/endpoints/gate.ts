/** Describes the endpoint of the publish gate: what it came to on what an attempt left last. */
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
  override: z.object({ by: z.string(), reason: z.string(), at: z.string().nullable() }).nullable(),
  why_not_run: z.string().nullable(),
});
export type GateRowDocument = z.infer<typeof row>;

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
    }),
    codes: ["not_found", "bad_configuration"],
  },
} as const satisfies Endpoints;
