/** Says in one or two sentences what to do about a failed run. */
import { howToDouble, howToSet, type Settings } from "../configuration/how-to-set.ts";
import { gateRemedy } from "../publish/gate-remedy.ts";
import { shellWord } from "../text/shell-word.ts";
import type { Failure, FailureCode } from "./failure.ts";
import type { Run } from "./run.ts";

/** What is known of a run when it fails. */
export interface RemedyFacts {
  /** Ids, in full. */
  readonly run: string;
  readonly attempt: string;
  readonly kind: Run["kind"];
  /** Whether this run made a commit. */
  readonly committed: boolean;
  /** Whether the agent's turn was over, so that its files only wait to be published. */
  readonly agentDone: boolean;
  readonly agent: string;
  /** The user's checkout. */
  readonly repository: string;
  /** Null if none was made. */
  readonly worktree: string | null;
  /** The settings of the run. */
  readonly settings: Settings;
}

type Details = Failure["details"];

/** The final text of the remedy. A template that came with the failure is filled; else the code decides. */
export function remedyOf({ code, details, remedy }: Failure, facts: RemedyFacts): string {
  const template = details.cause === "planted" ? plantedRemedy(facts) : BY_CODE[code](facts, details);
  return fill(remedy === "" ? template : remedy, facts);
}

/**
 * `{run}` and `{attempt}` are ids, short enough to copy. `{again}` is the command that goes on from the run's state.
 * `{set KEY VALUE}` and `{double KEY}` say how to change a setting at its place.
 */
function fill(template: string, facts: RemedyFacts): string {
  return template
    .replace(/\{set (\S+) ([^}\s]+)\}/g, (_, key: string, value: string) =>
      howToSet(facts.settings, key, value),
    )
    .replace(/\{double (\S+)\}/g, (_, key: string) => howToDouble(facts.settings, key))
    .replaceAll("{again}", () => again(facts))
    .replaceAll("{kept}", () => kept(facts))
    .replaceAll("{run}", facts.run.slice(0, 8))
    .replaceAll("{attempt}", facts.attempt.slice(0, 8));
}

/** An agent is never asked to repeat finished work. */
function again({ kind, committed, agentDone }: RemedyFacts): string {
  if (committed || kind === "publish") return "`tazuna retry {run} --from push`";
  return agentDone
    ? "`tazuna continue {attempt}`, which publishes the files as they are"
    : "`tazuna retry {run}`";
}

/** A sentence about what is kept; empty if nothing is. */
function kept({ kind, committed, worktree }: RemedyFacts): string {
  if (committed || kind === "publish") return "The commit is kept.";
  return worktree === null ? "Nothing was made yet." : "The files are kept in the worktree.";
}

const BY_CODE: Readonly<Record<FailureCode, (facts: RemedyFacts, details: Details) => string>> = {
  setup_failed: setupRemedy,
  agent_failed: (_, { cause }) =>
    cause === "budget"
      ? '`tazuna continue {attempt} "Go on where you stopped"` goes on from the edits without that budget.'
      : "`tazuna logs {run}` shows what the agent said; `tazuna retry {run}` tries again.",
  agent_not_found: ({ agent }, { program }) =>
    typeof program === "string"
      ? `Install ${program}, or name its path in \`agents.${agent}.command\` of the configuration. Then \`tazuna retry {run}\`.`
      : `Put the agent ${agent} into \`agents\` of the configuration again; \`tazuna agents\` shows which there are. Then \`tazuna retry {run}\`.`,
  auth_required: ({ agent }) =>
    `Log in with the agent's own program; \`tazuna agents\` says how ${agent} does that. Then \`tazuna retry {run}\`.`,
  rate_limited: (_, { resume_at }) =>
    `Wait until the limit resets${typeof resume_at === "string" ? ` (${resume_at.slice(0, 16).replace("T", " ")} UTC)` : ""}, then \`tazuna retry {run}\`.`,
  timed_out: () =>
    'If it only needs more time: {double limits.timeout_s}. Then `tazuna continue {attempt} "Go on where you stopped"`; the edits are kept.',
  stalled: () =>
    '`tazuna logs {run}` shows its last action. If it was only slow: {double limits.stall_s}. Then `tazuna continue {attempt} "Go on where you stopped"`.',
  gate_rejected: ({ worktree }, details) => gateRemedy(details, worktree),
  check_failed: (_, details) => checkRemedy(details),
  hook_failed: hookRemedy,
  commit_failed: () => "Mend what git says, then {again}. {kept}",
  lfs_missing: () => "Install git-lfs and run `git lfs install`, then {again}. {kept}",
  fetch_failed: fetchRemedy,
  base_missing: baseRemedy,
  empty_repository: emptyRemedy,
  branch_name_blocked: blockedRemedy,
  push_rejected: rejectedRemedy,
  push_auth: remoteRemedy,
  remote_unreachable: remoteRemedy,
  conflict: conflictRemedy,
  session_lost: () =>
    '`tazuna continue {attempt} "Go on where you stopped"` begins a new session in the same worktree.',
  worktree_lost: () =>
    '`tazuna continue {attempt} "Go on where you stopped"` makes the worktree again from the branch.',
  sandbox_unavailable: () =>
    "`tazuna doctor` says how this machine gets a sandbox. To go on without one: {set isolation auto}. Then {again}.",
  disk_full: () => "Free some disk space, then {again}. {kept}",
  interrupted: () => "`tazuna retry {run}` tries again. {kept}",
  internal: () =>
    "This is a fault in Tazuna, and `server.log` in the data folder says more. Then {again}. {kept}",
};

function setupRemedy({ repository }: RemedyFacts, { cause, command, source }: Details): string {
  if (cause === "configuration")
    return `Correct ${source}; \`tazuna config --schema\` lists every key. Then \`tazuna retry {run}\`.`;
  if (cause === "untrusted")
    return `\`cd ${shellWord(repository)} && tazuna trust\` shows them. If they are right, \`tazuna retry {run} --trust\` trusts them and goes on.`;
  const what = typeof command === "string" ? "the command" : "what is named";
  return `\`tazuna logs {run}\` shows what it printed. Mend ${what} or what it needs, then {again}.`;
}

/** Git settings that an agent can have written; a person may have written them too. */
function plantedRemedy({ repository }: RemedyFacts): string {
  const folder = shellWord(repository);
  return `\`cd ${folder} && tazuna trust\` shows them, and accepts them if they are right; else take them back with \`git -C ${folder} config --edit\`. Then {again}. {kept}`;
}

function checkRemedy({ checks }: Details): string {
  const names = namesOf(checks);
  const allow = names.map((name) => `--allow ${shellWord(`check:${name}`)}`).join(" ");
  const all = names.join(", ");
  return (
    `\`tazuna continue {attempt} ${shellWord(`Make the check ${all} pass`)}\` hands it to the agent, ` +
    `\`tazuna publish {attempt} ${allow} --reason "..."\` pushes it all the same. The commit is kept and was not pushed.`
  );
}

function hookRemedy(_: RemedyFacts, { cause, hook }: Details): string {
  if (cause === "changed")
    return "Read the hook first: if it is right, `tazuna trust` accepts it; else take it back. To run no hooks: {set hooks off}. Then {again}.";
  const name = typeof hook === "string" ? `the hook ${hook}` : "the hook";
  return (
    `\`tazuna continue {attempt} ${shellWord(`Do what ${name} asks for`)}\` hands it to the agent. ` +
    "Or mend it in the worktree; to run no hooks: {set hooks off}. Then {again}."
  );
}

/** The remedy depends on the cause of the failed read or write of a remote. */
function remoteRemedy({ repository }: RemedyFacts, { cause }: Details): string {
  const git = `git -C ${shellWord(repository)}`;
  switch (cause) {
    case "auth":
      return `Let \`${git} fetch\` and \`${git} push\` work without a question (credential helper, ssh key, \`gh\`, \`glab\`), or set \`TAZUNA_GITHUB_TOKEN\` and the like. Then {again}. {kept}`;
    case "not_found":
      return `There is no repository at the remote's address: \`${git} remote -v\` shows it. Correct it with \`git remote set-url\`, or make the repository there; then {again}. {kept}`;
    case "no_remote":
      return `\`${git} remote -v\` shows the remotes that there are. Set \`remote\` in the configuration to one of them, or add it with \`git remote add\`; then {again}. {kept}`;
    case "name":
      return `The host's name is not known: check the address (\`${git} remote -v\`) and the network, then {again}. {kept}`;
    case "refused":
      return "The host answers, but nothing serves git there now. Once its server runs, {again}. {kept}";
    case "network":
      return "Check the network, then {again}. {kept}";
    default:
      return `Once \`${git} fetch\` works, {again}. {kept}`;
  }
}

function fetchRemedy(facts: RemedyFacts, details: Details): string {
  if (details.of === "submodules")
    return "The submodules were not filled. Make sure that git can clone them from the address that it names, then {again}. To go on without them: {set submodules none}. Then {again}.";
  return `${remoteRemedy(facts, details)} Meanwhile \`tazuna retry {run} --offline\` works from the base that is known here.`;
}

/** A remote's message may be about the files, about rights, or about a passing fault. */
function rejectedRemedy(_: RemedyFacts, { remote, kind }: Details): string {
  if (remote !== undefined)
    return '`tazuna continue {attempt} "Do what the remote asks for"` hands it to the agent, if it is about the files. Else mend it yourself, then {again}. {kept}';
  return kind === undefined
    ? "Others pushed there first, again and again: {again} tries once more. {kept}"
    : "Mend what git says, then {again}. {kept}";
}

function baseRemedy({ repository }: RemedyFacts, { base, nearest, makeable, remote }: Details): string {
  const git = `git -C ${shellWord(repository)}`;
  if (typeof base !== "string")
    return `Check out the branch to begin from in ${repository}, then \`tazuna retry {run}\`. Or begin a new task with \`--base\` and its name.`;
  const near = Array.isArray(nearest) && typeof nearest[0] === "string" ? shellWord(nearest[0]) : "COMMIT";
  const other = `a new task with \`--base ${near}\`.`;
  if (typeof makeable !== "string") return `Begin ${other}`;
  const branch = shellWord(makeable);
  const push = `${git} push ${shellWord(String(remote))} HEAD:refs/heads/${branch}`;
  const make = remote === null ? `${git} branch ${branch}` : push;
  return `Make the branch ${branch} (\`${make}\`), then \`tazuna retry {run}\`. Or begin ${other}`;
}

function emptyRemedy({ repository }: RemedyFacts, { remote }: Details): string {
  const git = `git -C ${shellWord(repository)}`;
  const push = typeof remote === "string" ? ` and \`${git} push ${shellWord(remote)} HEAD\`` : "";
  return `Make a first commit (\`${git} commit --allow-empty -m "First commit"\`)${push}, then \`tazuna retry {run}\`.`;
}

function blockedRemedy({ repository }: RemedyFacts, { blocked_by, remote }: Details): string {
  const git = `git -C ${shellWord(repository)}`;
  const [from, to] = [shellWord(String(blocked_by)), shellWord(`${blocked_by}-old`)];
  const rename =
    typeof remote === "string"
      ? `${git} fetch ${shellWord(remote)} refs/heads/${from} && ${git} push ${shellWord(remote)} FETCH_HEAD:refs/heads/${to} :refs/heads/${from}`
      : `${git} branch -m ${from} ${to}`;
  return `Rename the branch that is in the way (\`${rename}\`), then {again}. Or set another \`branch\` in the configuration, and begin a new task.`;
}

function conflictRemedy({ worktree }: RemedyFacts, { operation, branch }: Details): string {
  const git = `git -C ${shellWord(worktree ?? "")}`;
  if (operation === "merge")
    return "`tazuna continue {attempt} --resolve` lets the agent finish the merge that goes on in the worktree. The commit is kept.";
  if (typeof operation === "string")
    return `End what goes on there (\`${git} ${gitToEnd(operation)}\`), then \`tazuna continue {attempt} --resolve\`. The commit is kept.`;
  if (typeof branch === "string")
    return `Keep what you need of it, then \`${git} switch ${shellWord(branch)}\` and \`tazuna continue {attempt} --resolve\`. The commit is kept.`;
  return "`tazuna continue {attempt} --resolve` starts the merge and lets the agent resolve it. The commit is kept.";
}

/** The git command, after the word `git`, that aborts the operation in progress in a worktree. */
export function gitToEnd(operation: string): string {
  return operation === "bisect" ? "bisect reset" : `${operation} --abort`;
}

function namesOf(checks: unknown): readonly string[] {
  if (!Array.isArray(checks)) return [];
  return checks.flatMap((check: unknown) =>
    typeof check === "object" && check !== null && "name" in check ? [String(check.name)] : [],
  );
}
