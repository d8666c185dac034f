/** Writes a setting's value as it is shown: without what is a secret in it. */
import { createRedactor } from "../agent/redact.ts";

/** Of any value that JSON can say; `secrets` are texts that are taken out wherever they stand, beside what looks like one. */
export function shownValue(value: unknown, secrets: Parameters<typeof createRedactor>[0]["values"]): unknown {
  return JSON.parse(createRedactor({ values: secrets }).line(JSON.stringify([value])))[0];
}
