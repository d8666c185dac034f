/** Describes what a worker has sent of the log of a run to the database, for the others (ADR 0094). */
import { z } from "zod";
import { usageTotalsSchema } from "../agent/counters.ts";
import { type Entity, time } from "../entity.ts";

/** The files of a run that are sent, in the order in which they are read: who reads them in parts needs the former first. */
export const SENT_FILES = ["own", "places", "times", "err", "out"] as const;
export type SentFile = (typeof SENT_FILES)[number];

/** How many bytes of each file are sent. */
const sentSchema = z.object({
  own: z.number().int(),
  places: z.number().int(),
  times: z.number().int(),
  err: z.number().int(),
  out: z.number().int(),
});
export type SentBytes = Entity<typeof sentSchema>;

export const NOTHING_SENT: SentBytes = { own: 0, places: 0, times: 0, err: 0, out: 0 };

/** What a reader of the agent's stream has to know of its start. */
export const toldLaunchSchema = z.object({
  resumed: z.string().nullable(),
  approvals: z.enum(["ask", "never"]).default("never"),
  totalsBefore: usageTotalsSchema.nullable().default(null),
});
export type ToldLaunch = Entity<typeof toldLaunchSchema>;

export const logSeriesSchema = z.object({
  runId: z.string(),
  workerId: z.string(),
  /** The epoch of the lease under which it began, and the one under which it was sent last. */
  firstEpoch: z.number().int(),
  epoch: z.number().int(),
  /** The number of the last chunk. */
  chunks: z.number().int(),
  /** Up to this number they lie in object storage, but for Tazuna's own steps (ADR 0103). */
  packed: z.number().int(),
  /** What those of them take that hold what the agent printed. */
  bytes: z.number().int(),
  sent: sentSchema,
  launch: toldLaunchSchema.nullable(),
  /** `printed`: all that the agent printed is sent. `ended`: the rest too, and nothing more comes. */
  state: z.enum(["going", "printed", "ended"]),
  /** When something was sent last, by the clock of the database. */
  at: time,
  /** When what the agent printed was deleted; null if it was not. */
  removedAt: time.nullable(),
});
export type LogSeries = Entity<typeof logSeriesSchema>;
