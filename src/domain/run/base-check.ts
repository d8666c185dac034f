/** Describes the result of a declared check on a base: the commit that attempts began from. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const baseCheckSchema = z.object({
  repositoryId: z.string(),
  baseSha: z.string(),
  /** Of the check's definition and of the setup before it: another definition is another check. */
  hash: z.string(),
  name: z.string(),
  command: z.string(),
  /** `not_run`: its files or its setup could not be made; `output` says why. */
  outcome: z.enum(["passed", "failed", "timed_out", "not_run"]),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** The end of its output. */
  output: z.string(),
  at: time,
});
export type BaseCheck = Entity<typeof baseCheckSchema>;
