/** Holds the shared part of `fetch` and `pull`: their options, and the judgement of repository and refspecs. */
import { fetchFindings } from "../../kinds/refspecs.ts";
import { addressJudgement, remoteJudgement } from "../../kinds/repositories.ts";
import { destructive, dryRun, optionTable, refused, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import { allOperands, has, valuesOf } from "../../table/command-table.ts";
import { newPath, type Place } from "../../table/place.ts";
import { type Judgement, joinJudgements, judgeEach, judgementOf } from "../../verdicts/judgement.ts";
import { RUNS_PROGRAM } from "./reasons.ts";

const CUTS_HISTORY = {
  rule: "fetch.shallow",
  because: "cuts history off that is here already",
  instead: "--deepen=N and --unshallow only add history.",
};

export const TRANSFER_OPTIONS = optionTable(
  safe(`
    -v --[no-]verbose, -q --[no-]quiet, --[no-]all, -a --[no-]append, -t --[no-]tags, -p --[no-]prune,
    -j= --jobs=, -k --[no-]keep, --[no-]progress, --deepen=, --unshallow, --[no-]refmap=,
    -o= --[no-]server-option=, -4 --ipv4, -6 --ipv6, --[no-]negotiation-tip=, --[no-]show-forced-updates,
    --[no-]set-upstream, --[no-]recurse-submodules[=]
  `),
  dryRun("--[no-]dry-run"),
  destructive(
    CUTS_HISTORY,
    "--[no-]depth=, --[no-]shallow-since=, --[no-]shallow-exclude=, --[no-]update-shallow",
  ),
  destructive(
    {
      rule: "fetch.force",
      because: "overwrites local branches or tags",
      instead: "Leave it out; remote-tracking branches are updated without it.",
    },
    "-f --[no-]force",
  ),
  refused(RUNS_PROGRAM, "--[no-]upload-pack="),
);

/** A repository, then refspecs. With `--multiple`, only repositories. */
export function transferOperands(call: GitCall, place: Place): Judgement {
  const operands = allOperands(call);
  const repositories = has(call, "m") ? operands : operands.slice(0, 1);
  const refspecs = [...operands.slice(1), ...valuesOf(call, "refmap")];
  return joinJudgements(
    judgeEach(repositories, (text) => remoteJudgement(text, text, place)),
    judgementOf(...fetchFindings(refspecs, { force: has(call, "f"), prune: has(call, "p", "P") })),
  );
}

/** The address of a repository, then the folder in which it will be. */
export function addressAndFolder(call: GitCall, place: Place): Judgement {
  const operands = allOperands(call);
  return joinJudgements(
    judgeEach(operands.slice(0, 1), (address) => addressJudgement(address, address, place)),
    judgeEach(operands.slice(1, 2), (folder) => newPath(folder, place)),
  );
}
