/** Turns the configuration into the policy that the publish gate judges by. */
import ignore from "ignore";
import type { GatePolicy } from "../../domain/publish/gate.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";

const MEBIBYTE = 1024 ** 2;

/** `deny` is read as a `.gitignore` would be: later patterns win, `!` takes back. */
export function gatePolicy(configuration: LoadedConfiguration): GatePolicy {
  const { deny, gate } = configuration.values;
  const rules = ignore({ ignorecase: false }).add([...deny]);
  return {
    isDenied: (path) => rules.ignores(path),
    maxFileBytes: gate.max_file_mib * MEBIBYTE,
    levels: gate.rules,
  };
}
