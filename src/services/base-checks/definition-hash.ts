/** Tells one definition of a check from another, so that a result holds for the definition that it came from. */
import { createHash } from "node:crypto";
import type { ConfiguredCheck } from "../../domain/configuration/schema.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";

/** Whether it is required, and what it is called, do not change what it does. */
export function definitionHash(
  { run, timeout_s }: ConfiguredCheck,
  { values }: Pick<LoadedConfiguration, "values">,
): string {
  const { setup, copy, isolation, sandbox } = values;
  const text = JSON.stringify([run, timeout_s, setup, copy, isolation, sandbox]);
  return createHash("sha256").update(text).digest("hex");
}
