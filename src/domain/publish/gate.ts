/** Judges the staged list before a commit: what is left out, what stops the commit, what is only said. */

/** One path of the staged tree that differs from HEAD. */
export interface StagedPath {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "type_changed" | "renamed" | "copied";
  /** Whether HEAD has this path. */
  readonly inHead: boolean;
  /** Git's mode of the staged entry, such as 100644; 000000 for a deletion. */
  readonly mode: string;
  /** Bytes of the staged blob; null for deletions and submodules. */
  readonly bytes: number | null;
}

export interface GateFacts {
  readonly staged: readonly StagedPath[];
  /** Folders in the worktree that are repositories of their own. */
  readonly nestedRepositories: readonly string[];
  /** Submodules with changes of their own that no commit of ours would hold. */
  readonly dirtySubmodules: readonly string[];
  /** Files that Tazuna copied in: never committed. */
  readonly copiedIn: ReadonlySet<string>;
  /** Paths that are still as a check left them, with its name: never committed. */
  readonly leftByChecks: ReadonlyMap<string, string>;
}

export interface GatePolicy {
  /** Whether the configured `deny` patterns match a path. */
  readonly isDenied: (path: string) => boolean;
  readonly maxFileBytes: number;
  readonly levels: Readonly<Record<string, "reject" | "report" | "off">>;
}

export interface GateFinding {
  /** Stable: `left_out`, `left_by_check`, `denied_path`, `file_too_large`, `nested_repository`, `dirty_submodule`. */
  readonly rule: string;
  readonly level: "reject" | "report";
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

export interface GateVerdict {
  /** Paths that are taken out of the index; what lies in the worktree stays as it is. */
  readonly leftOut: readonly string[];
  /** Everything found, what was left out included (as reports). */
  readonly findings: readonly GateFinding[];
  readonly rejected: boolean;
}

/** The verdict on one staged tree. A path that leaves the tree (a deletion) is never held back, unless a check took it away. */
export function judgeStaged(facts: GateFacts, policy: GatePolicy): GateVerdict {
  const byCheck = facts.staged.flatMap(({ path }) => {
    const check = facts.leftByChecks.get(path);
    return check === undefined ? [] : [{ path, check }];
  });
  const entries = facts.staged.filter(
    (entry) => entry.change !== "deleted" && !facts.leftByChecks.has(entry.path),
  );
  const unwanted = entries
    .filter((entry) => !entry.inHead && (facts.copiedIn.has(entry.path) || policy.isDenied(entry.path)))
    .map((entry) => entry.path);
  const leftOut = [...unwanted, ...byCheck.map(({ path }) => path)];
  const out = new Set(leftOut);
  const kept = entries.filter((entry) => !out.has(entry.path));
  const findings = [
    ...unwanted.map((path) => leftOutFinding(path, facts.copiedIn.has(path))),
    ...byCheck.map(leftByCheckFinding),
    ...kept.filter((entry) => policy.isDenied(entry.path)).map((entry) => deniedFinding(entry.path)),
    ...kept
      .filter((entry) => (entry.bytes ?? 0) > policy.maxFileBytes)
      .map((entry) => largeFinding(entry, policy)),
    ...facts.nestedRepositories.filter((path) => !out.has(path)).map(nestedFinding),
    ...facts.dirtySubmodules.map(submoduleFinding),
  ].flatMap((finding) => withLevel(finding, policy));
  return { leftOut, findings, rejected: findings.some((finding) => finding.level === "reject") };
}

function leftOutFinding(path: string, copied: boolean): GateFinding {
  return {
    rule: "left_out",
    level: "report",
    path,
    message: copied
      ? `${path} was copied in from your checkout and is not committed`
      : `${path} is new and matches \`deny\`: it stays in the worktree and is not committed`,
    remedy: "Nothing to do, unless the file should be published: then change `deny`.",
  };
}

function leftByCheckFinding({ path, check }: { readonly path: string; readonly check: string }): GateFinding {
  return {
    rule: "left_by_check",
    level: "report",
    path,
    message: `${path} is as the check ${check} left it and is not committed`,
    remedy: "Nothing to do, unless this version should be published: then change the file.",
  };
}

function deniedFinding(path: string): GateFinding {
  return {
    rule: "denied_path",
    level: "reject",
    path,
    message: `${path} is tracked, matches \`deny\` and was changed`,
    remedy: "Ask the agent to put the file back, or change `deny` in the configuration.",
  };
}

function largeFinding(entry: StagedPath, policy: GatePolicy): GateFinding {
  const mib = (bytes: number) => `${Math.round((bytes / 1024 ** 2) * 10) / 10} MiB`;
  return {
    rule: "file_too_large",
    level: "reject",
    path: entry.path,
    message: `${entry.path} has ${mib(entry.bytes ?? 0)}, more than the ${mib(policy.maxFileBytes)} allowed`,
    remedy: "Ask the agent to remove the file or to ignore it, or raise `gate.max_file_mib`.",
  };
}

function nestedFinding(path: string): GateFinding {
  return {
    rule: "nested_repository",
    level: "reject",
    path,
    message: `${path} is a git repository of its own; a commit would hold only a pointer to it`,
    remedy: "Remove its `.git` to make it part of this repository, or ignore the folder.",
  };
}

function submoduleFinding(path: string): GateFinding {
  return {
    rule: "dirty_submodule",
    level: "reject",
    path,
    message: `the submodule ${path} has changes that this repository cannot hold`,
    remedy: "Commit them in the submodule's own repository, or ask the agent to put them back.",
  };
}

/** What is left out cannot be published, whatever its level. */
const ALWAYS_REPORTED: ReadonlySet<string> = new Set(["left_out", "left_by_check"]);

function withLevel(finding: GateFinding, policy: GatePolicy): GateFinding[] {
  const level = policy.levels[finding.rule] ?? finding.level;
  return level === "off" ? [] : [{ ...finding, level: ALWAYS_REPORTED.has(finding.rule) ? "report" : level }];
}
