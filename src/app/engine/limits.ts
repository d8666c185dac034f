/** Knows the times and the amounts that the engine works by. */
import { z } from "zod";
import type { OutputLimits, Timing } from "../../services/core/context.ts";

const milliseconds = z.number().int().nonnegative();
const timing = z.strictObject({
  leaseMs: milliseconds.positive().default(120_000),
  graceMs: milliseconds.default(5_000),
  actionFactMs: milliseconds.default(1_000),
  backoffMs: z.array(milliseconds).default([60_000, 300_000, 900_000, 3_600_000]),
  cleanUpMs: z.array(milliseconds.positive()).min(1).default([5_000, 30_000, 120_000, 600_000]),
  demoMs: milliseconds.default(10_000),
  questionMs: milliseconds.default(600_000),
  notifyMs: z.array(milliseconds).default([1_000, 10_000, 60_000]),
  terminalMs: milliseconds.default(30_000),
  // With the snapshot and its way it stays below a minute.
  depotMs: milliseconds.positive().default(45_000),
  depotGcMs: milliseconds.positive().default(3_600_000),
  logsMovedMs: milliseconds.positive().default(3_600_000),
  logsKeptMs: milliseconds.default(24 * 3_600_000),
  cloneUnusedMs: milliseconds.default(24 * 3_600_000),
  cloneRetryMs: milliseconds.positive().default(60_000),
  trashKeepMs: milliseconds.positive().default(14 * 24 * 3_600_000),
});

/** `TAZUNA_TIMING` (JSON, milliseconds) shortens the times in tests. A person should not need it. */
export function readTiming(env: Readonly<Record<string, string>>): Timing {
  return timing.parse(JSON.parse(env.TAZUNA_TIMING || "{}"));
}

const MEBIBYTE = 1024 * 1024;
const bytes = z.number().int().positive();

const limits = z.strictObject({
  /**
   * A long session of a real agent prints some ten MiB. If an agent prints without end, the first 36 MiB are kept
   * (`keeper/shares.ts`).
   */
  outBytes: bytes.default(96 * MEBIBYTE),
  /**
   * Few agents print much to standard error. If one does, the first 12 MiB are kept, and the end, which tells of a
   * failure.
   */
  errBytes: bytes.default(32 * MEBIBYTE),
});

/** `TAZUNA_OUTPUT_LIMITS` (JSON, bytes) lowers the amounts in tests. A person should not need it. */
export function readOutputLimits(env: Readonly<Record<string, string>>): OutputLimits {
  return limits.parse(JSON.parse(env.TAZUNA_OUTPUT_LIMITS || "{}"));
}
