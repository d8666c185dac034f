/** Knows the times the engine works by. */
import { z } from "zod";
import type { Timing } from "../services/context.ts";

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

/** `TAZUNA_TIMING` (JSON, milliseconds) shortens them in tests; nothing a person should need. */
export function readTiming(env: Readonly<Record<string, string>>): Timing {
  const given = env.TAZUNA_TIMING;
  const set = given === undefined || given === "" ? {} : partial.parse(JSON.parse(given));
  const { leaseMs = DEFAULT.leaseMs, graceMs = DEFAULT.graceMs } = set;
  const { actionFactMs = DEFAULT.actionFactMs, backoffMs = DEFAULT.backoffMs } = set;
  const { cleanUpMs = DEFAULT.cleanUpMs, trashKeepMs = DEFAULT.trashKeepMs } = set;
  return { leaseMs, graceMs, actionFactMs, backoffMs, cleanUpMs, trashKeepMs };
}
