/**
 * Judges the staged list before a commit: what is left out, what stops the commit, what is only reported (seed 003
 * AgentConstraints).
 */
import { type GateFinding, type GateLevels, withLevel } from "./gate-finding.ts";
import type { SetupPaths } from "./left-files.ts";
import { findingsOfPath } from "./path-rules.ts";
import {
  isHalfWritten,
  largeFinding,
  leftByCheckFinding,
  leftOutFinding,
  pathFinding,
  type SubmoduleFlaw,
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
  /** May produce them one by one: a change can have a million. */
  readonly staged: Iterable<StagedPath>;
  /** Folders in the worktree that are repositories of their own. */
  readonly nestedRepositories: readonly string[];
  /** Submodules whose content would not reach others with our commit. */
  readonly submodules: readonly SubmoduleFlaw[];
  /** Folders that could not be read. */
  readonly closedFolders: readonly string[];
  /** Paths that a person leaves out of the commit. */
  readonly setAside: ReadonlySet<string>;
  /** Files that Tazuna copied in: never committed. */
  readonly copiedIn: ReadonlySet<string>;
  /** Paths that are unchanged since a check left them, with the check's name: never committed. */
  readonly leftByChecks: ReadonlyMap<string, string>;
  /** Paths that setup commands had changed; not committed as long as they are unchanged since the setup. */
  readonly setup: SetupPaths;
  /** The findings about the staged content. */
  readonly inContent: readonly GateFinding[];
}

export interface GatePolicy {
  /** Whether the configured `deny` patterns match a path. */
  readonly isDenied: (path: string) => boolean;
  readonly maxFileBytes: number;
  readonly levels: GateLevels;
}

export interface GateVerdict {
  /** Paths that are removed from the index; their files in the worktree stay. */
  readonly leftOut: readonly string[];
  /** All findings, including those for paths that were left out (as reports). */
  readonly findings: readonly GateFinding[];
  readonly rejected: boolean;
}

/** The verdict by names, sizes and kinds alone. */
type PathVerdict = Omit<GateVerdict, "rejected">;

/** The verdict on one staged tree. */
export function judgeStaged(facts: GateFacts, policy: GatePolicy): GateVerdict {
  return atOnce(withContent(atOnce(judgePaths(facts, policy)), facts, policy));
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Decides which paths are taken out of the index, and which rules the others break. Taken out are new paths that are
 * denied, were copied in or never finished, and what checks left. A deletion is never held back, unless a check or
 * the setup deleted the path. Yields after each path: there can be a million of them, and other work has to go on.
 */
export function* judgePaths(
  facts: Omit<GateFacts, "inContent">,
  policy: GatePolicy,
): Generator<void, PathVerdict> {
  const { nestedRepositories, submodules } = facts;
  const named = new Map<string, string | null>(
    [...nestedRepositories, ...submodules.map(({ path }) => path)].map((path) => [path, null]),
  );
  const leftOut: string[] = [];
  const out: GateFinding[] = [];
  const kept: GateFinding[] = [];
  for (const entry of facts.staged) {
    const { path } = entry;
    const isDenied = policy.isDenied(path);
    if (isLeftOut(entry, facts, isDenied)) {
      leftOut.push(path);
      out.push(...withLevel(outFinding(path, facts), policy.levels));
      yield;
      continue;
    }
    if (facts.setup.changed.has(path))
      kept.push(...withLevel(pathFinding("changed_after_setup", path), policy.levels));
    if (entry.change !== "deleted") {
      if (named.has(path)) named.set(path, entry.sha);
      for (const finding of findingsOfEntry(entry, { isDenied, policy }))
        kept.push(...withLevel(withBlob(finding, entry.sha), policy.levels));
    }
    yield;
  }
  const without = new Set([...leftOut, ...facts.setAside]);
  const others = [
    ...nestedRepositories
      .filter((path) => !without.has(path))
      .map((path) => pathFinding("nested_repository", path)),
    ...submodules.filter(({ path }) => !without.has(path)).map(submoduleFinding),
  ].map((finding) => withBlob(finding, named.get(finding.path) ?? null));
  const closed = facts.closedFolders.map((path) => leftOutFinding(path, "closed"));
  const levelled = (finding: GateFinding) => withLevel(finding, policy.levels);
  return {
    leftOut,
    findings: [out, closed.flatMap(levelled), kept, others.flatMap(levelled)].flat(),
  };
}

/** The whole verdict: the findings in content, beside the verdict on the paths. Yields as `judgePaths` does. */
export function* withContent(
  { leftOut, findings: ofPaths }: PathVerdict,
  { staged, inContent }: Pick<GateFacts, "staged" | "inContent">,
  { levels }: GatePolicy,
): Generator<void, GateVerdict> {
  const blobs = new Map<string, string | null>(inContent.map(({ path }) => [path, null]));
  for (const { path, sha } of blobs.size === 0 ? [] : staged) {
    if (blobs.has(path)) blobs.set(path, sha);
    yield;
  }
  const out = new Set(leftOut);
  const ofContent = inContent
    .filter(({ path }) => !out.has(path))
    .flatMap((finding) => withLevel(withBlob(finding, blobs.get(finding.path) ?? null), levels));
  const findings = ofContent.length === 0 ? ofPaths : [...ofPaths, ...ofContent];
  return { leftOut, findings, rejected: findings.some((finding) => finding.level === "reject") };
}

function isLeftOut(entry: StagedPath, facts: Omit<GateFacts, "inContent">, isDenied: boolean): boolean {
  const { path } = entry;
  if (facts.leftByChecks.has(path) || facts.setup.untouched.has(path) || facts.setAside.has(path))
    return true;
  const isNew = entry.change !== "deleted" && !entry.inHead;
  return isNew && (isDenied || facts.copiedIn.has(entry.path) || isHalfWritten(entry.path));
}

function outFinding(
  path: string,
  { leftByChecks, setup, copiedIn, setAside }: Omit<GateFacts, "inContent">,
): GateFinding {
  if (setAside.has(path)) return leftOutFinding(path, "asked");
  const check = leftByChecks.get(path);
  if (check !== undefined) return leftByCheckFinding(path, check);
  if (setup.untouched.has(path)) return pathFinding("left_by_setup", path);
  if (copiedIn.has(path)) return leftOutFinding(path, "copied");
  return leftOutFinding(path, isHalfWritten(path) ? "half-written" : "denied");
}

function findingsOfEntry(
  entry: StagedPath,
  { isDenied, policy }: { readonly isDenied: boolean; readonly policy: GatePolicy },
): readonly GateFinding[] {
  return [
    ...(isDenied ? [pathFinding("denied_path", entry.path)] : []),
    ...((entry.bytes ?? 0) > policy.maxFileBytes ? [largeFinding(entry, policy.maxFileBytes)] : []),
    ...findingsOfPath(entry.path, policy.isDenied),
  ];
}

function withBlob(finding: GateFinding, blob: string | null): GateFinding {
  return blob === null ? finding : { ...finding, blob };
}
