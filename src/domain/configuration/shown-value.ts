/** Writes a setting's value for people, without the secrets in it. */
import { createRedactor } from "../agent/redact.ts";

/** Takes any JSON value. `secrets` are texts to remove, beside all that looks like a secret. */
export function shownValue(value: unknown, secrets: Parameters<typeof createRedactor>[0]["values"]): unknown {
  return JSON.parse(createRedactor({ values: secrets }).line(JSON.stringify([value])))[0];
}
