/** Describes a refusal on the wire. It stands apart from its words, which are read without making a schema. */
import { z } from "zod";
import { PROBLEM_KINDS } from "./problem.ts";

export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  kind: z.enum(PROBLEM_KINDS),
  code: z.string(),
  detail: z.string(),
  remedy: z.string(),
  details: z.record(z.string(), z.unknown()),
});
