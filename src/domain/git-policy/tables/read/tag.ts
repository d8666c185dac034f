/** Judges `git tag`, which only reads if it lists or verifies. */
import { destructive, optionTable, path, safe, writing } from "../../parse/option-spec.ts";
import { allOperands, type CommandTable, has } from "../../table/command-table.ts";
import { choosesFromList, LIST_OPTIONS } from "../families/list-options.ts";

const LOSES = [
  ...destructive(
    {
      rule: "tag.delete",
      because: "deletes tags, and tags have no log",
      instead: "Make a new tag and keep the old one.",
    },
    "-d --delete",
  ),
  ...destructive(
    { rule: "tag.force", because: "replaces a tag, and tags have no log", instead: "Choose a new name." },
    "-f --[no-]force",
  ),
];

export const TAG: CommandTable = {
  tier: "read",
  options: optionTable(
    LIST_OPTIONS,
    safe("-l --list, -n[=], -v --verify"),
    writing(`
      -a --[no-]annotate, -m= --[no-]message=, -e --[no-]edit, -s --[no-]sign, --[no-]cleanup=,
      --[no-]trailer=, -u= --[no-]local-user=, --[no-]create-reflog
    `),
    path("-F= --[no-]file="),
    LOSES,
  ),
  writesWhen: (call) =>
    has(call, "F") || (allOperands(call).length > 0 && !choosesFromList(call) && !has(call, "l", "n", "v")),
};
