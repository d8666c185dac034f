/** Judges `git init`. */
import { optionTable, refused, safe } from "../../parse/option-spec.ts";
import { allOperands, type CommandTable } from "../../table/command-table.ts";
import { newPath } from "../../table/place.ts";
import { judgeEach } from "../../verdicts/judgement.ts";
import { MOVES_REPOSITORY, PLANTS_FILES } from "../families/reasons.ts";

export const INIT: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -q --[no-]quiet, --[no-]bare, --shared[=], -b= --[no-]initial-branch=, --[no-]object-format=,
      --[no-]ref-format=
    `),
    refused(PLANTS_FILES, "--[no-]template="),
    refused(MOVES_REPOSITORY, "--[no-]separate-git-dir="),
  ),
  judge: (call, place) => judgeEach(allOperands(call).slice(0, 1), (folder) => newPath(folder, place)),
};
