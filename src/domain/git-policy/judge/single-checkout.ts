/** Says whether a `git checkout` names one thing that git may take for a branch or for a file. */
import { parseCall } from "../parse/parse-call.ts";
import { has } from "../table/command-table.ts";
import { CHECKOUT, isFilePattern } from "../tables/write/switching.ts";

/** False with `--`, for files (`.`), and for a sure commit (`-b NEW START`, `--detach`, `--orphan`, `--track`). */
export function isSingleCheckout(args: readonly string[]): boolean {
  return parseCall("checkout", args, { options: CHECKOUT.options, endOfOptions: false }).match(
    (call) =>
      call.operands.length === 1 &&
      call.operands[0] !== "-" &&
      !isFilePattern(call.operands[0] ?? "") &&
      !call.dashes &&
      !has(call, "b", "d", "orphan", "t"),
    () => false,
  );
}
