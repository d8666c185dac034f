/** Describes the log of a run, in lines and in pages. */
import { z } from "zod";
import { type Entity, jsonObject } from "../entity.ts";

/** An agent event, a step of Tazuna's own, or a line of stderr (`{ text }`). */
export const logLineSchema = z.object({
  /** Strictly increasing within the run, from 1; `after: n` reads what follows this line. */
  n: z.number(),
  at: z.string().nullable(),
  source: z.enum(["agent", "stderr", "tazuna"]),
  event: jsonObject,
});
export type LogLine = Entity<typeof logLineSchema>;

export const logPageSchema = z.object({
  lines: z.array(logLineSchema),
  /** Pass it as `after` to read on: the `n` of the last line, or the given `after`. */
  next: z.number(),
  /** True once the run has ended and nothing will follow. */
  ended: z.boolean(),
});
export type LogPage = Entity<typeof logPageSchema>;
