/** Says what a worker is good for, in words that people choose, such as `gpu` or `os=mac` (ADR 0102). */
import { z } from "zod";

export const labelSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.=/-]{0,39}$/, "is no label: letters, digits and . = / - _, at most 40 in all");

const MOST = 20;
export const labelsSchema = z.array(labelSchema).max(MOST, `must be at most ${MOST} labels`);

/** Whether a worker with these labels may begin what asks for those. */
export function hasLabels(own: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((label) => own.includes(label));
}
