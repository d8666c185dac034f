/** Judges `git remote`, which only reads if it lists, shows or names addresses. */
import { addressJudgement, remoteJudgement } from "../../kinds/repositories.ts";
import { destructive, dryRun, optionTable, safe } from "../../parse/option-spec.ts";
import type { GitCall } from "../../parse/parse-call.ts";
import {
  allOperands,
  type CommandTable,
  has,
  type VerbTable,
  valuesOf,
  verbs,
} from "../../table/command-table.ts";
import type { Place } from "../../table/place.ts";
import {
  type Judgement,
  joinJudgements,
  judgeEach,
  judgementOf,
  NO_FINDINGS,
} from "../../verdicts/judgement.ts";
import { destroys, never } from "../../verdicts/verdict.ts";

const NO_OPTIONS = optionTable();

const MIRROR = {
  rule: "remote.mirror",
  because: "makes every later fetch or push overwrite branches",
  instead: "Add the remote without it.",
};

const ADD: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("-f --[no-]fetch, --[no-]tags, -t= --[no-]track=, -m= --[no-]master="),
    destructive(MIRROR, "--[no-]mirror[=]"),
  ),
  network: (call) => has(call, "f"),
  judge: (call, place) => joinJudgements(trackedNames(valuesOf(call, "t")), addresses(call, place)),
};

const REMOVE: CommandTable = {
  tier: "write",
  options: NO_OPTIONS,
  loses: {
    rule: "remote.remove",
    because: "deletes the remote's settings and all its remote-tracking branches",
    instead: "git remote rename keeps them under another name.",
  },
};

const SET_HEAD: CommandTable = {
  tier: "write",
  options: optionTable(safe("-a --[no-]auto, -d --[no-]delete")),
  network: (call) => has(call, "a"),
  judge: (call, place) => repositories(allOperands(call).slice(0, 1), place),
};

const SET_URL: CommandTable = {
  tier: "write",
  options: optionTable(
    safe("--[no-]push, --[no-]add"),
    destructive(
      { rule: "remote.set-url-delete", because: "deletes an address that is written nowhere else" },
      "--[no-]delete",
    ),
  ),
  judge: (call, place) =>
    joinJudgements(has(call, "delete") ? NO_FINDINGS : addresses(call, place), replacedAddress(call)),
};

/** `--add` and `--delete` themselves say what happens to the existing addresses. */
function replacedAddress(call: GitCall): Judgement {
  if (has(call, "add", "delete")) return NO_FINDINGS;
  return judgementOf(
    destroys("git remote set-url", {
      rule: "remote.set-url",
      because: "replaces an address that is written nowhere else",
      instead: "git remote add NAME URL keeps both; git remote set-url --add adds an address.",
    }),
  );
}

const SET_BRANCHES: CommandTable = {
  tier: "write",
  options: optionTable(safe("--[no-]add")),
  judge: (call) => trackedNames(allOperands(call).slice(1)),
};

/** `remotes.<group>` in the configuration may name several. */
const UPDATE: CommandTable = {
  tier: "write",
  options: optionTable(safe("-p --[no-]prune")),
  network: () => true,
  judge: (call, place) => repositories(allOperands(call), place),
};

const PRUNE: CommandTable = {
  tier: "write",
  options: optionTable(dryRun("-n --[no-]dry-run")),
  network: () => true,
  judge: (call, place) => repositories(allOperands(call), place),
};

const SHOW: CommandTable = {
  tier: "read",
  options: optionTable(safe("-n")),
  network: (call) => !has(call, "n") && allOperands(call).length > 0,
  judge: (call, place) => repositories(allOperands(call), place),
};

export const REMOTE: VerbTable = {
  before: optionTable(safe("-v --[no-]verbose")),
  verbs: verbs({
    show: SHOW,
    "get-url": { tier: "read", options: optionTable(safe("--[no-]push, --[no-]all")) },
    add: ADD,
    rename: { tier: "write", options: optionTable(safe("--[no-]progress")) },
    remove: REMOVE,
    rm: REMOVE,
    "set-head": SET_HEAD,
    "set-branches": SET_BRANCHES,
    "set-url": SET_URL,
    prune: PRUNE,
    update: UPDATE,
  }),
  plain: { tier: "read", options: NO_OPTIONS },
};

/** Names of remotes. Git also takes a path or an address here. */
function repositories(names: readonly string[], place: Place): Judgement {
  return judgeEach(names, (name) => remoteJudgement(name, name, place));
}

/** The remote's name, then addresses. */
function addresses(call: GitCall, place: Place): Judgement {
  return judgeEach(allOperands(call).slice(1), (address) => addressJudgement(address, address, place));
}

const NO_BRANCH = {
  rule: "remote.branch-name",
  because: "is no name of a branch",
  instead: "Name branches of the remote, such as main.",
};

/** A name with a colon would become a refspec that writes elsewhere. */
function trackedNames(names: readonly string[]): Judgement {
  return judgeEach(names, (name) => judgementOf(/[:+^]/.test(name) && never(name, NO_BRANCH)));
}
