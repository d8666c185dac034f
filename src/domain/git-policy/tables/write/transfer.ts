/** Judges the subcommands that talk to a repository elsewhere: `fetch`, `pull`, `push`, `clone`. */
import { pushFindings } from "../../kinds/refspecs.ts";
import { remoteJudgement } from "../../kinds/repositories.ts";
import {
  among,
  destructive,
  dryRun,
  optionTable,
  refused,
  remote,
  repositoryPath,
  safe,
} from "../../parse/option-spec.ts";
import { allOperands, type CommandTable, has } from "../../table/command-table.ts";
import { joinJudgements, judgeEach, judgementOf } from "../../verdicts/judgement.ts";
import { never } from "../../verdicts/verdict.ts";
import {
  INTERNAL,
  MOVES_REPOSITORY,
  OVERWRITES_IN_SUBMODULES,
  PLANTS_FILES,
  READS_STDIN,
  RUNS_PROGRAM,
  SETS_CONFIGURATION,
} from "../families/reasons.ts";
import { MERGE_OPTIONS } from "../families/sequence-options.ts";
import { addressAndFolder, TRANSFER_OPTIONS, transferOperands } from "../families/transfer-options.ts";

export const FETCH: CommandTable = {
  tier: "write",
  options: optionTable(
    TRANSFER_OPTIONS,
    safe(`
      -n, -m --[no-]multiple, --[no-]atomic, --[no-]prefetch, --[no-]write-fetch-head, --[no-]refetch,
      --[no-]negotiate-only, --[no-]filter=, --[no-]auto-maintenance, --[no-]auto-gc,
      --[no-]write-commit-graph, --[no-]porcelain
    `),
    destructive(
      {
        rule: "fetch.prune-tags",
        because: "deletes and overwrites local tags",
        instead: "--prune removes remote-tracking branches only.",
      },
      "-P --[no-]prune-tags",
    ),
    refused(INTERNAL, "-u --[no-]update-head-ok, --submodule-prefix=, --recurse-submodules-default="),
    refused(READS_STDIN, "--[no-]stdin"),
  ),
  network: () => true,
  judge: transferOperands,
};

const ADDS_HEADS = {
  rule: "pull.append",
  because: "merges what was fetched before as well",
  instead: "git fetch --append, then git merge FETCH_HEAD.",
};

export const PULL: CommandTable = {
  tier: "write",
  options: optionTable(
    TRANSFER_OPTIONS,
    MERGE_OPTIONS,
    among(["true", "false", "merges", "m"], "-r[=] --[no-]rebase[=]"),
    safe("-j[=] --[no-]jobs[=], --[no-]signoff[=]"),
    destructive(OVERWRITES_IN_SUBMODULES, "--[no-]recurse-submodules[=]"),
    destructive(ADDS_HEADS, "-a --[no-]append"),
  ),
  network: () => true,
  judge: transferOperands,
};

const FORCES = {
  rule: "push.force",
  because: "overwrites what the remote has",
  instead: "Push without it; git pull first if the push is refused.",
};

export const PUSH: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -v --[no-]verbose, -q --[no-]quiet, --[no-]all, --[no-]branches, --[no-]tags, --[no-]porcelain,
      --[no-]recurse-submodules=, --[no-]thin, -u --[no-]set-upstream, --[no-]progress, --[no-]verify,
      --[no-]follow-tags, --[no-]signed[=], --[no-]atomic, -o= --[no-]push-option=, -4 --ipv4, -6 --ipv6
    `),
    dryRun("-n --[no-]dry-run"),
    remote("--repo="),
    destructive(FORCES, "-f --[no-]force, --[no-]force-with-lease[=], --[no-]force-if-includes"),
    destructive(
      { rule: "push.mirror", because: "overwrites and deletes everything else that the remote has" },
      "--[no-]mirror",
    ),
    destructive({ rule: "push.delete", because: "deletes refs of the remote" }, "-d --[no-]delete"),
    destructive({ rule: "push.prune", because: "deletes branches of the remote" }, "--[no-]prune"),
    refused(RUNS_PROGRAM, "--[no-]receive-pack=, --[no-]exec="),
  ),
  network: () => true,
  judge: (call, place) => {
    const operands = allOperands(call);
    return joinJudgements(
      judgeEach(operands.slice(0, 1), (repository) => remoteJudgement(repository, repository, place)),
      judgementOf(...pushFindings(operands.slice(1))),
    );
  },
};

export const CLONE: CommandTable = {
  tier: "write",
  options: optionTable(
    safe(`
      -v --[no-]verbose, -q --[no-]quiet, --[no-]progress, --[no-]reject-shallow, -n --[no-]checkout,
      --[no-]bare, --[no-]naked, --[no-]mirror, -l --[no-]local, --[no-]hardlinks, -s --[no-]shared,
      --[no-]recurse-submodules[=], --[no-]recursive[=], -j= --[no-]jobs=, --[no-]dissociate,
      -o= --[no-]origin=, -b= --[no-]branch=, --[no-]revision=, --[no-]depth=, --[no-]shallow-since=,
      --[no-]shallow-exclude=, --[no-]single-branch, --[no-]tags, --[no-]shallow-submodules,
      --[no-]server-option=, -4 --[no-]ipv4, -6 --[no-]ipv6, --[no-]filter=,
      --[no-]also-filter-submodules, --[no-]remote-submodules, --[no-]sparse, --[no-]bundle-uri=,
      --ref-format=
    `),
    repositoryPath("--[no-]reference=, --[no-]reference-if-able="),
    refused(RUNS_PROGRAM, "-u= --[no-]upload-pack="),
    refused(SETS_CONFIGURATION, "-c= --[no-]config="),
    refused(PLANTS_FILES, "--[no-]template="),
    refused(MOVES_REPOSITORY, "--[no-]separate-git-dir="),
  ),
  network: () => true,
  judge: (call, place) =>
    joinJudgements(
      addressAndFolder(call, place),
      judgementOf(has(call, "bundle-uri") && never("--bundle-uri", BUNDLES, "UNSAFE_URL")),
    ),
};

/** A download may be a list, and in such a list git also accepts files of this machine. */
const BUNDLES = {
  rule: "url.bundle",
  because: "may lead git on to any file of this machine",
  instead: "Leave it out: what is missing comes from the repository.",
};
