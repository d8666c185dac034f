/** Knows how much of what an agent prints is kept. */
import { z } from "zod";
import type { OutputLimits } from "../services/context.ts";

const MEBIBYTE = 1024 * 1024;

const limits = z.strictObject({
  /** A long session of a real agent prints some ten MiB: more than this is a loop, which would fill the disk. */
  outBytes: z
    .number()
    .int()
    .positive()
    .default(256 * MEBIBYTE),
  /** Nobody reads more of it than its end, from which a failure is told. */
  errBytes: z
    .number()
    .int()
    .positive()
    .default(16 * MEBIBYTE),
});

/** `TAZUNA_OUTPUT_LIMITS` (JSON, bytes) makes them less in tests; nothing a person should need. */
export function readOutputLimits(env: Readonly<Record<string, string>>): OutputLimits {
  return limits.parse(JSON.parse(env.TAZUNA_OUTPUT_LIMITS || "{}"));
}
