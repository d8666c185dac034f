/** Holds the options by which `branch` and `tag` choose and show their lists. */
import { optionTable, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { has } from "../../table/command-table.ts";

export const LIST_OPTIONS = optionTable(
  safe(`
    --contains=?, --with=?, --no-contains=?, --without=?, --merged=?, --no-merged=?, --[no-]points-at=,
    --[no-]sort=, --[no-]format=, --[no-]column[=], --[no-]color[=], -i --[no-]ignore-case,
    --[no-]omit-empty
  `),
);

/** Whether an option was given that makes operands patterns instead of names. */
export function choosesFromList(call: GitCall): boolean {
  return has(call, "l", "contains", "with", "no-contains", "without", "merged", "no-merged", "points-at");
}
