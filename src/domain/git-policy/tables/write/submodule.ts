/** Judges the verbs of `git submodule`. */
import { pathspecs } from "../../kinds/pathspecs.ts";
import { addressJudgement } from "../../kinds/repositories.ts";
import { destructive, optionTable, repositoryPath, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands, type CommandTable, type VerbTable, verbs } from "../../table/command-table.ts";
import type { Place } from "../../table/place.ts";
import { type Judgement, joinJudgements, judgeEach } from "../../verdicts/judgement.ts";
import type { Why } from "../../verdicts/verdict.ts";
import { OVERWRITES_IN_SUBMODULES } from "../families/reasons.ts";
import { addressAndFolder } from "../families/transfer-options.ts";

const QUIET = safe("-q --quiet");

const FORCES: Why = {
  rule: "submodule.force",
  because: "throws away changes in the submodule",
  instead: "Commit them in the submodule first.",
};

const STATUS: CommandTable = {
  tier: "read",
  options: optionTable(QUIET, safe("--cached, --recursive")),
  judge: pathspecs,
};

const SUMMARY: CommandTable = {
  tier: "read",
  options: optionTable(safe("--cached, --files, -n= --summary-limit=, --for-status")),
  judge: pathspecs,
};

const ADD: CommandTable = {
  tier: "write",
  options: optionTable(
    QUIET,
    safe("-b= --branch=, --name=, --depth=, --progress, --ref-format="),
    repositoryPath("--reference="),
    destructive(FORCES, "-f --force"),
  ),
  network: () => true,
  judge: addressAndFolder,
};

const UPDATE: CommandTable = {
  tier: "write",
  options: optionTable(
    QUIET,
    safe(`
      --progress, -i --init, --remote, -N --no-fetch, --recursive, --[no-]recommend-shallow,
      --[no-]single-branch, --require-init, --depth=, -j= --jobs=, --filter=, --dissociate,
      --ref-format=
    `),
    repositoryPath("--reference="),
    destructive(FORCES, "-f --force"),
    destructive(OVERWRITES_IN_SUBMODULES, "--checkout, -m --merge, -r --rebase"),
  ),
  network: () => true,
  judge: pathspecs,
};

const DEINIT: CommandTable = {
  tier: "write",
  options: optionTable(QUIET, safe("--all"), destructive(FORCES, "-f --force")),
  judge: pathspecs,
  loses: {
    rule: "submodule.deinit",
    because: "empties the folders of submodules, ignored files in them too",
  },
};

export const SUBMODULE: VerbTable = {
  before: optionTable(QUIET, safe("--cached")),
  verbs: verbs({
    status: STATUS,
    summary: SUMMARY,
    init: { tier: "write", options: optionTable(QUIET), judge: pathspecs },
    sync: { tier: "write", options: optionTable(QUIET, safe("--recursive")), judge: pathspecs },
    absorbgitdirs: { tier: "write", options: optionTable(QUIET), judge: pathspecs },
    add: ADD,
    update: UPDATE,
    deinit: DEINIT,
    "set-branch": {
      tier: "write",
      options: optionTable(QUIET, safe("-d --default, -b= --branch=")),
      judge: pathspecs,
    },
    "set-url": { tier: "write", options: optionTable(QUIET), judge: judgeSetUrl },
    foreach: {
      refused: {
        rule: "submodule.foreach",
        because: "runs a command that the arguments name",
        instead: "Call git_command with cwd set to the submodule.",
      },
    },
  }),
  plain: STATUS,
};

function judgeSetUrl(call: GitCall, place: Place): Judgement {
  return joinJudgements(
    pathspecs({ ...call, operands: allOperands(call).slice(0, 1), afterDashes: [] }, place),
    judgeEach(allOperands(call).slice(1), (address) => addressJudgement(address, address, place)),
  );
}
