/** Knows the times and the amounts that the engine works by. */
import { z } from "zod";
import type { OutputLimits, Timing } from "../../services/core/context.ts";

const DEFAULT: Timing = {
  leaseMs: 60_000,
  graceMs: 5_000,
  actionFactMs: 1_000,
  backoffMs: [60_000, 300_000, 900_000, 3_600_000],
  cleanUpMs: [5_000, 30_000, 120_000, 600_000],
  trashKeepMs: 14 * 24 * 3_600_000,
};

const partial = z
  .strictObject({
    leaseMs: z.number().int().positive(),
    graceMs: z.number().int().nonnegative(),
    actionFactMs: z.number().int().nonnegative(),
    backoffMs: z.array(z.number().int().nonnegative()),
    cleanUpMs: z.array(z.number().int().positive()).min(1),
    trashKeepMs: z.number().int().positive(),
  })
  .partial();

/** `TAZUNA_TIMING` (JSON, milliseconds) shortens the times in tests. A person should not need it. */
export function readTiming(env: Readonly<Record<string, string>>): Timing {
  const given = env.TAZUNA_TIMING;
  const set = given === undefined || given === "" ? {} : partial.parse(JSON.parse(given));
  const { leaseMs = DEFAULT.leaseMs, graceMs = DEFAULT.graceMs } = set;
  const { actionFactMs = DEFAULT.actionFactMs, backoffMs = DEFAULT.backoffMs } = set;
  const { cleanUpMs = DEFAULT.cleanUpMs, trashKeepMs = DEFAULT.trashKeepMs } = set;
  return { leaseMs, graceMs, actionFactMs, backoffMs, cleanUpMs, trashKeepMs };
}

const MEBIBYTE = 1024 * 1024;

const limits = z.strictObject({
  /**
   * A long session of a real agent prints some ten MiB. If an agent prints without end, the first 36 MiB are kept
   * (`keeper/shares.ts`).
   */
  outBytes: z
    .number()
    .int()
    .positive()
    .default(96 * MEBIBYTE),
  /**
   * Few agents print much to standard error. If one does, the first 12 MiB are kept, and the end, which tells of a
   * failure.
   */
  errBytes: z
    .number()
    .int()
    .positive()
    .default(32 * MEBIBYTE),
});

/** `TAZUNA_OUTPUT_LIMITS` (JSON, bytes) lowers the amounts in tests. A person should not need it. */
export function readOutputLimits(env: Readonly<Record<string, string>>): OutputLimits {
  return limits.parse(JSON.parse(env.TAZUNA_OUTPUT_LIMITS || "{}"));
}
