/** Turns the configuration into the policy of the publish gate. */
import type { GatePolicy } from "../../../domain/publish/gate.ts";
import { createPathMatcher } from "../../../utils/paths/git-patterns.ts";
import type { LoadedConfiguration } from "../../configuration/load-configuration.ts";

const MEBIBYTE = 1024 ** 2;

/**
 * `deny` is read like a `.gitignore`: later patterns win, `!` takes back, and everything below a denied folder is
 * denied.
 */
export function gatePolicy({ values }: Pick<LoadedConfiguration, "values">): GatePolicy {
  const { deny, gate } = values;
  return {
    isDenied: createPathMatcher(deny),
    maxFileBytes: gate.max_file_mib * MEBIBYTE,
    levels: gate.rules,
  };
}
