/** Reads what differs between the index and HEAD, or two trees, file by file as git tells it. */
import type { ConfigPairs } from "../../domain/git-policy/hardening/settings.ts";
import { type Change, changeOf, lineCountOf } from "../../domain/read/file-changes.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { eachField } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface ChangedFile {
  readonly path: string;
  /** The path before a rename or copy, else null. */
  readonly previousPath: string | null;
  readonly status: Change | "unmerged";
  /** Lines; null for a binary file. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** What to compare: the index with HEAD, or two trees (or commits). */
export type Comparison = "staged" | { readonly from: string; readonly to: string };

/** A changed file, and what git knows of it on both sides. */
export interface DiffRecord {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: ChangedFile["status"];
  /** As git writes it, such as `100644`; `000000` if the file does not exist. */
  readonly previousMode: string;
  readonly mode: string;
  /** The blob (or, for `160000`, the commit) on the old side; all zeros if there is none. */
  readonly previousSha: string;
  /** The same on the new side. */
  readonly sha: string;
}

/** Gets each change: first every file, then the lines of each file, both in git's order. */
interface DiffVisitor {
  record(record: DiffRecord): void;
  lines(lines: Pick<ChangedFile, "path" | "additions" | "deletions">): void;
}

/**
 * Runs one process and hands over modes, object ids and lines file by file. The list of a change may be too long for
 * memory. `begin` makes the receiver; if git runs a second time, it makes a new one.
 */
export async function visitDiff(
  git: Git,
  target: GitTarget,
  comparison: Comparison,
  begin: () => DiffVisitor,
): GitAnswer<void, RemoteError> {
  const args = [...argumentsOf(comparison), "--raw", "--numstat", "-z", "--no-abbrev", ...PLAIN];
  const made = await eachField(git, target, args, {
    access: "objects",
    config: STEADY,
    begin: () => recordReader(begin()),
  });
  return made.mapErr(asRemoteError).map(() => undefined);
}

/** Git's arguments for what to compare. */
export function argumentsOf(comparison: Comparison): string[] {
  return comparison === "staged" ? ["diff", "HEAD", "--cached"] : ["diff", comparison.from, comparison.to];
}

/**
 * These options follow those arguments. The final `--` is needed because an agent may have named a file `HEAD`, or
 * like a commit.
 */
export const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none", "--"];

/** User settings that would change the patch of the same change. */
export const STEADY: ConfigPairs = {
  "diff.noprefix": "false",
  "diff.mnemonicPrefix": "false",
  "diff.srcPrefix": "a/",
  "diff.dstPrefix": "b/",
  "diff.algorithm": "default",
  "diff.indentHeuristic": "true",
  "diff.renames": "true",
  "diff.renameLimit": "1000",
  "diff.context": "3",
  "diff.interHunkContext": "0",
  "diff.suppressBlankEmpty": "false",
  "diff.submodule": "short",
  "diff.relative": "false",
  "diff.orderFile": "/dev/null",
};

/**
 * Groups fields into records: `--raw` records, each beginning with a colon, then `--numstat` records in the same
 * order.
 */
function recordReader({ record, lines }: DiffVisitor): (field: string) => void {
  let fields: string[] = [];
  let wanted = 0;
  return (field) => {
    if (fields.length === 0) wanted = fieldsOf(field);
    fields.push(field);
    if (fields.length < wanted) return;
    if (fields[0]?.startsWith(":")) record(rawRecord(fields));
    else lines(lineRecord(fields));
    fields = [];
  };
}

/**
 * How many fields a record has that begins with this field. A rename or copy has one path more; in `--numstat` its
 * first path is empty.
 */
function fieldsOf(first: string): number {
  if (first.startsWith(":")) return / [RC]\d*$/.test(first) ? 3 : 2;
  return /^\S+\t\S+\t$/.test(first) ? 3 : 1;
}

/** `:MODE MODE SHA SHA LETTER`, then one path, or the old one and the new one. */
function rawRecord([head = "", first = "", second]: readonly string[]): DiffRecord {
  const [previousMode = "", mode = "", previousSha = "", sha = "", letters = ""] = head.slice(1).split(" ");
  const letter = letters[0] ?? "M";
  return {
    path: second ?? first,
    previousPath: second === undefined ? null : first,
    status: letter === "U" ? "unmerged" : (changeOf(letter) ?? "modified"),
    previousMode,
    mode,
    previousSha,
    sha,
  };
}

/** `additions TAB deletions TAB path`; a rename has its two paths in the next fields. */
function lineRecord([head = "", , renamed]: readonly string[]) {
  const [added = "", deleted = ""] = head.split("\t", 2);
  const path = renamed ?? head.slice(added.length + deleted.length + 2);
  return { path, additions: lineCountOf(added), deletions: lineCountOf(deleted) };
}
