/** Says whether a `git checkout` names one thing that git may take for a branch or for a file. */
import type { GitCall } from "../parse/parse-call.ts";
import { has } from "../table/command-table.ts";
import { isFilePattern } from "../tables/write/switching.ts";

/** False with `--`, for files (`.`), and for a sure commit (`-b NEW START`, `--detach`, `--orphan`, `--track`). */
export function isSingleCheckout(call: GitCall): boolean {
  const [first = "-", ...others] = call.operands;
  return (
    call.subcommand === "checkout" &&
    others.length === 0 &&
    first !== "-" &&
    !isFilePattern(first) &&
    !call.dashes &&
    !has(call, "b", "d", "orphan", "t")
  );
}
