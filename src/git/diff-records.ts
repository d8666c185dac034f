/** Reads what differs between the index and HEAD, or two trees, file by file as git tells it. */
import type { Result } from "neverthrow";
import { type Change, changeOf, lineCountOf } from "../domain/read/file-changes.ts";
import { eachField } from "./each-field.ts";
import type { ConfigPairs } from "./git-environment.ts";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

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
  /** As git writes it, such as `100644`; `000000` where the file is not there. */
  readonly previousMode: string;
  readonly mode: string;
  /** The blob (or, for `160000`, the commit) on the old side; all zeros where there is none. */
  readonly previousSha: string;
  /** The same on the new side. */
  readonly sha: string;
}

/** Who is told of a change: of every file first, then of the lines of each, both in git's order. */
export interface DiffVisitor {
  record(record: DiffRecord): void;
  lines(lines: Pick<ChangedFile, "path" | "additions" | "deletions">): void;
}

/**
 * Modes, object ids and lines by one process, file by file: the list of a change may be longer than there is room for.
 * `begin` makes who is told, anew where git is asked a second time.
 */
export async function visitDiff(
  git: Git,
  target: GitTarget,
  of: Comparison,
  begin: () => DiffVisitor,
): Promise<Result<void, RemoteError>> {
  const args = [...argumentsOf(of), "--raw", "--numstat", "-z", "--no-abbrev", ...PLAIN];
  const made = await eachField(git, target, args, {
    access: "objects",
    config: STEADY,
    begin: () => recordReader(begin()),
  });
  return made.mapErr(asRemoteError).map(() => undefined);
}

/** Of git, for what is to be compared. */
export function argumentsOf(of: Comparison): string[] {
  return of === "staged" ? ["diff", "HEAD", "--cached"] : ["diff", of.from, of.to];
}

/** After them. The last one because an agent may have called a file `HEAD`, or as a commit is called. */
export const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none", "--"];

/** Settings of the user that would give the same change another patch. */
export const STEADY: ConfigPairs = {
  "diff.noprefix": "false",
  "diff.mnemonicPrefix": "false",
  "diff.renames": "true",
  "diff.context": "3",
  "diff.interHunkContext": "0",
  "diff.suppressBlankEmpty": "false",
  "diff.submodule": "short",
  "diff.relative": "false",
  "diff.orderFile": "/dev/null",
};

/** Puts fields together again: `--raw` records, each beginning with a colon, then `--numstat` records in the same order. */
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

/** How many fields a record has that begins so: a rename or copy has a path more, which in `--numstat` leaves the first one empty. */
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
