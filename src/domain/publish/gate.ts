/** Judges the staged list before a commit: what is left out, what stops the commit, what is only said. */
import { type GateFinding, type GateLevels, withLevel } from "./gate-finding.ts";
import { findingsOfPath } from "./path-rules.ts";
import {
  deniedFinding,
  isHalfWritten,
  largeFinding,
  leftByCheckFinding,
  leftOutFinding,
  nestedFinding,
  submoduleFinding,
} from "./staged-rules.ts";

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
  /** The staged blob (or commit), as git names it; null for a deletion. */
  readonly sha: string | null;
}

export interface GateFacts {
  readonly staged: readonly StagedPath[];
  /** Folders in the worktree that are repositories of their own. */
  readonly nestedRepositories: readonly string[];
  /** Submodules with changes of their own that no commit of ours would hold. */
  readonly dirtySubmodules: readonly string[];
  /** Folders that could not be looked into. */
  readonly closedFolders: readonly string[];
  /** Files that Tazuna copied in: never committed. */
  readonly copiedIn: ReadonlySet<string>;
  /** Paths that are still as a check left them, with its name: never committed. */
  readonly leftByChecks: ReadonlyMap<string, string>;
  /** What reading the staged content found. */
  readonly inContent: readonly GateFinding[];
}

export interface GatePolicy {
  /** Whether the configured `deny` patterns match a path. */
  readonly isDenied: (path: string) => boolean;
  readonly maxFileBytes: number;
  readonly levels: GateLevels;
}

export interface GateVerdict {
  /** Paths that are taken out of the index; what lies in the worktree stays as it is. */
  readonly leftOut: readonly string[];
  /** Everything found, what was left out included (as reports). */
  readonly findings: readonly GateFinding[];
  readonly rejected: boolean;
}

/** The paths that are taken out again: new ones that are denied, were copied in or never finished, and what checks left. */
export function pathsLeftOut(facts: Omit<GateFacts, "inContent">, policy: GatePolicy): readonly string[] {
  return facts.staged.filter((entry) => isLeftOut(entry, facts, policy)).map(({ path }) => path);
}

/** The verdict on one staged tree. A path that leaves the tree (a deletion) is never held back, unless a check took it away. */
export function judgeStaged(facts: GateFacts, policy: GatePolicy): GateVerdict {
  const leftOut = pathsLeftOut(facts, policy);
  const out = new Set(leftOut);
  const kept = facts.staged.filter((entry) => entry.change !== "deleted" && !out.has(entry.path));
  const blobs = new Map(kept.map(({ path, sha }) => [path, sha]));
  const findings = [
    ...leftOut.map((path) => outFinding(path, facts)),
    ...facts.closedFolders.map((path) => leftOutFinding(path, "closed")),
    ...kept.flatMap((entry) => findingsOfEntry(entry, policy)),
    ...facts.nestedRepositories.filter((path) => !out.has(path)).map(nestedFinding),
    ...facts.dirtySubmodules.map(submoduleFinding),
    ...facts.inContent.filter(({ path }) => !out.has(path)),
  ]
    .flatMap((finding) => withLevel(finding, policy.levels))
    .map((finding) => withBlob(finding, blobs.get(finding.path) ?? null));
  return { leftOut, findings, rejected: findings.some((finding) => finding.level === "reject") };
}

function isLeftOut(entry: StagedPath, facts: Omit<GateFacts, "inContent">, policy: GatePolicy): boolean {
  if (facts.leftByChecks.has(entry.path)) return true;
  const isNew = entry.change !== "deleted" && !entry.inHead;
  return (
    isNew && (facts.copiedIn.has(entry.path) || policy.isDenied(entry.path) || isHalfWritten(entry.path))
  );
}

function outFinding(path: string, { leftByChecks, copiedIn }: GateFacts): GateFinding {
  const check = leftByChecks.get(path);
  if (check !== undefined) return leftByCheckFinding(path, check);
  if (copiedIn.has(path)) return leftOutFinding(path, "copied");
  return leftOutFinding(path, isHalfWritten(path) ? "half-written" : "denied");
}

function findingsOfEntry(entry: StagedPath, policy: GatePolicy): readonly GateFinding[] {
  return [
    ...(policy.isDenied(entry.path) ? [deniedFinding(entry.path)] : []),
    ...((entry.bytes ?? 0) > policy.maxFileBytes ? [largeFinding(entry, policy.maxFileBytes)] : []),
    ...findingsOfPath(entry.path, policy.isDenied),
  ];
}

function withBlob(finding: GateFinding, blob: string | null): GateFinding {
  return blob === null ? finding : { ...finding, blob };
}
