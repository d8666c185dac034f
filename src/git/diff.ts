/** Compares the index with HEAD, and trees with trees: as a patch, and as a list of files with their numbers. */
import type { Result } from "neverthrow";
import { type Change, changeOf, lineCountOf } from "../domain/read/file-changes.ts";
import type { ConfigPairs } from "./git-environment.ts";
import { fromNul } from "./nul-list.ts";
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

/** The unified diff, at most `maxBytes` of it. */
export async function diffPatch(
  git: Git,
  target: GitTarget,
  options: { readonly of: Comparison; readonly maxBytes: number },
): Promise<Result<{ readonly patch: string; readonly truncated: boolean }, RemoteError>> {
  const made = await git.run(target, [...argumentsOf(options.of), ...PLAIN], {
    access: "objects",
    config: STEADY,
    maxOutputBytes: options.maxBytes,
    overflow: "cut",
  });
  return made.mapErr(asRemoteError).map(({ stdout, truncated }) => ({ patch: stdout, truncated }));
}

/** Writes the unified diff to a file, byte for byte and whatever its size. */
export async function diffPatchToFile(
  git: Git,
  target: GitTarget,
  options: { readonly of: Comparison; readonly file: string },
): Promise<Result<void, RemoteError>> {
  const made = await git.run(target, [...argumentsOf(options.of), ...PLAIN], {
    access: "objects",
    config: STEADY,
    stdoutFile: options.file,
  });
  return made.mapErr(asRemoteError).map(() => undefined);
}

/** Every changed file with the lines it gained and lost, in git's order. */
export async function diffFiles(
  git: Git,
  target: GitTarget,
  of: Comparison,
): Promise<Result<readonly ChangedFile[], RemoteError>> {
  const records = await diffRecords(git, target, of);
  return records.map((all) => all.map(({ file }) => file));
}

/** A changed file, and what git knows of it on both sides. */
export interface DiffRecord {
  readonly file: ChangedFile;
  /** As git writes it, such as `100644`; `000000` where the file is not there. */
  readonly previousMode: string;
  readonly mode: string;
  /** The blob (or, for `160000`, the commit) on the old side; all zeros where there is none. */
  readonly previousSha: string;
  /** The same on the new side. */
  readonly sha: string;
}

/** The same with modes and object ids, by the same one process. */
export async function diffRecords(
  git: Git,
  target: GitTarget,
  of: Comparison,
): Promise<Result<readonly DiffRecord[], RemoteError>> {
  const args = [...argumentsOf(of), "--raw", "--numstat", "-z", "--no-abbrev", ...PLAIN];
  const made = await git.run(target, args, { access: "objects", config: STEADY });
  return made.mapErr(asRemoteError).map(({ stdout }) => parseRecords(fromNul(stdout)));
}

function argumentsOf(of: Comparison): string[] {
  return of === "staged" ? ["diff", "HEAD", "--cached"] : ["diff", of.from, of.to];
}

/** The last one because an agent may have called a file `HEAD`, or as a commit is called. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none", "--"];

/** Settings of the user that would give the same change another patch. */
const STEADY: ConfigPairs = {
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

type Unnumbered = Omit<ChangedFile, "additions" | "deletions">;
type Raw = Omit<DiffRecord, "file"> & { readonly file: Unnumbered };

/** The `--raw` records, each beginning with a colon, then the `--numstat` records in the same order. */
function parseRecords(fields: readonly string[]): DiffRecord[] {
  const raws: Raw[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const [previousMode = "", mode = "", previousSha = "", sha = "", letters = ""] = (fields[at] ?? "")
      .slice(1)
      .split(" ");
    const letter = letters[0] ?? "M";
    const moved = letter === "R" || letter === "C";
    const first = fields[at + 1] ?? "";
    const path = moved ? (fields[at + 2] ?? "") : first;
    const status = letter === "U" ? "unmerged" : (changeOf(letter) ?? "modified");
    const file: Unnumbered = { path, previousPath: moved ? first : null, status };
    raws.push({ file, previousMode, mode, previousSha, sha });
    at += moved ? 3 : 2;
  }
  return withNumbers(raws, fields.slice(at));
}

/** `additions TAB deletions TAB path`; a rename has an empty path there and its two paths in the next fields. */
function withNumbers(raws: readonly Raw[], fields: readonly string[]): DiffRecord[] {
  const numbers = new Map<string, readonly [number | null, number | null]>();
  for (let at = 0; at < fields.length; at++) {
    const [, added = "", deleted = "", path = ""] = /^(\S+)\t(\S+)\t([\s\S]*)$/.exec(fields[at] ?? "") ?? [];
    const named = path === "" ? (fields[at + 2] ?? "") : path;
    if (path === "") at += 2;
    numbers.set(named, [lineCountOf(added), lineCountOf(deleted)]);
  }
  return raws.map((raw) => {
    const [additions, deletions] = numbers.get(raw.file.path) ?? [null, null];
    return { ...raw, file: { ...raw.file, additions, deletions } };
  });
}
