/** Describes the log of a run, in lines and in pages. */
import { z } from "zod";
import { type Entity, jsonObject } from "../entity.ts";

/** An agent event, a step of Tazuna's own, or a line of stderr (`{ text }`). */
export const logLineSchema = z.object({
  /** Strictly increasing within the run, from 1; `after: n` reads what follows this line. */
  n: z.number(),
  /** When it came; null if that was not noted (stderr, and agents' lines of runs of an older version). */
  at: z.string().nullable(),
  source: z.enum(["agent", "stderr", "tazuna"]),
  event: jsonObject,
});
export type LogLine = Entity<typeof logLineSchema>;

/** Says of a log that another worker wrote how much of it is known: its files lie on the disk of that worker. */
const sentLogSchema = z.object({
  worker: z.object({ id: z.string(), name: z.string() }),
  /** When it sent something last, by the clock of the database; null if it sent nothing. */
  until: z.string().nullable(),
  /** Whether all of it was sent. */
  complete: z.boolean(),
  /** Whether that worker is there; then the rest comes. */
  there: z.boolean(),
});
export type SentLog = Entity<typeof sentLogSchema>;

export const logPageSchema = z.object({
  lines: z.array(logLineSchema),
  /** Pass it as `after` to read on: the last line that was looked at, or the given `after`. */
  next: z.number(),
  /** Pass it as `before` to read back: the first line that was looked at; null if nothing is before it. */
  previous: z.number().nullable(),
  /** How many lines there are now. */
  total: z.number(),
  /** True once the run has ended and nothing will follow. */
  ended: z.boolean(),
  /** Null if the files of the log are read. */
  sent: sentLogSchema.nullable(),
});
export type LogPage = Entity<typeof logPageSchema>;
