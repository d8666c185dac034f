/** Turns the configuration into the policy that the publish gate judges by. */
import type { GatePolicy } from "../../domain/publish/gate.ts";
import { bytesOf, createGitPatterns } from "../../utils/git-patterns.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";

const MEBIBYTE = 1024 ** 2;

/** `deny` is read as a `.gitignore` would be: later patterns win, `!` takes back, and what is below a denied folder is denied. */
export function gatePolicy({ values }: Pick<LoadedConfiguration, "values">): GatePolicy {
  const { deny, gate } = values;
  return {
    isDenied: createDenied(deny),
    maxFileBytes: gate.max_file_mib * MEBIBYTE,
    levels: gate.rules,
  };
}

/** Git's own reading of the patterns; what a repository's file says cannot make it slow. */
function createDenied(deny: readonly string[]): (path: string) => boolean {
  const patterns = createGitPatterns(bytesOf(deny.join("\n")), { foldsCase: false });
  return (path) => {
    const bytes = bytesOf(path);
    for (let end = bytes.indexOf("/"); end >= 0; end = bytes.indexOf("/", end + 1))
      if (patterns.verdictOn(bytes.slice(0, end), "directory") === "ignored") return true;
    return patterns.verdictOn(bytes, "file") === "ignored";
  };
}
