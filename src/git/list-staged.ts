/** Lists what is staged, or what differs between two trees: path by path, with modes, object ids and sizes. */
import { err, ok, type Result } from "neverthrow";
import type { PatchStat } from "../domain/run/run.ts";
import { type Comparison, type DiffRecord, visitDiff } from "./diff-records.ts";
import type { GitError } from "./git-error.ts";
import { fieldReader } from "./nul-list.ts";
import type { RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface StagedEntry {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed" | "unmerged";
  /** Null for a deleted file. `160000` is a submodule or nested repository, `120000` a symbolic link. */
  readonly mode: FileMode | null;
  readonly previousMode: FileMode | null;
  /** The blob (or, for `160000`, the commit); null for a deleted file. */
  readonly sha: string | null;
  /** The same in HEAD; null where it has none. */
  readonly previousSha: string | null;
  /** Bytes of the blob as git stores it; null where there is none. */
  readonly size: number | null;
}

/** What is staged: path by path, and as a person would count it. */
export interface Staged {
  /** Sorted by path; a rename is a deletion and an addition. */
  readonly entries: readonly StagedEntry[];
  /** A rename is one file. */
  readonly stat: PatchStat;
}

/** Everything that differs between HEAD and the index, or between two trees: those stay as they are, whoever writes the index. */
export async function listStaged(
  git: Git,
  target: GitTarget,
  of: Comparison = "staged",
): Promise<Result<Staged, RemoteError>> {
  let entries: Sizable[] = [];
  let stat = { files: 0, additions: 0, deletions: 0 };
  const visited = await visitDiff(git, target, of, () => {
    entries = [];
    stat = { files: 0, additions: 0, deletions: 0 };
    return {
      record: (record) => {
        stat.files += 1;
        entries.push(...entriesOf(record));
      },
      lines: ({ additions, deletions }) => {
        stat.additions += additions ?? 0;
        stat.deletions += deletions ?? 0;
      },
    };
  });
  if (visited.isErr()) return err(visited.error);
  if (!isSorted(entries)) entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const sized = await addSizes(git, target, entries);
  return sized.map(() => ({ entries, stat }));
}

type Sizable = Omit<StagedEntry, "size"> & { size: number | null };

/** Git's own order is of bytes, and a rename stands where its new path is; nearly always both are the same. */
function isSorted(entries: readonly StagedEntry[]): boolean {
  return entries.every(({ path }, at) => at === 0 || (entries[at - 1]?.path ?? "") < path);
}

/** Entries whose sizes are asked for by one process. */
const ASKED_AT_ONCE = 20_000;

/** Nothing but the sizes is asked for, and no answer is kept: what they are of is in order. */
async function addSizes(
  git: Git,
  target: GitTarget,
  entries: readonly Sizable[],
): Promise<Result<void, GitError>> {
  for (let at = 0; at < entries.length; at += ASKED_AT_ONCE) {
    const blobs = entries
      .slice(at, at + ASKED_AT_ONCE)
      .filter(({ sha, mode }) => sha !== null && mode !== "160000");
    if (blobs.length === 0) continue;
    const begin = () => {
      const left = blobs.values();
      return fieldReader((line) => {
        const blob = left.next().value;
        if (blob !== undefined) blob.size = /^\d+$/.test(line) ? Number(line) : null;
      }, "\n");
    };
    const stdin = blobs.map(({ sha }) => `${sha}\n`).join("");
    const args = ["cat-file", "--batch-check=%(objectsize)"];
    const sized = await git.run(target, args, { stdin, onStdout: begin });
    if (sized.isErr()) return err(sized.error);
  }
  return ok(undefined);
}

function entriesOf(record: DiffRecord): Sizable[] {
  const { previousPath, status } = record;
  switch (status) {
    case "renamed":
      return [gone(previousPath ?? "", record), entryOf(record, "added", false)];
    case "copied":
      return [entryOf(record, "added", false)];
    default:
      return [entryOf(record, status, true)];
  }
}

/** Field by field: an object that is put together of others takes half as much room again, and there can be a million. */
function entryOf(record: DiffRecord, status: StagedEntry["status"], hasPrevious: boolean): Sizable {
  return {
    path: copyOf(record.path),
    status,
    mode: modeOf(record.mode),
    previousMode: hasPrevious ? modeOf(record.previousMode) : null,
    sha: idOf(record.sha),
    previousSha: hasPrevious ? idOf(record.previousSha) : null,
    size: null,
  };
}

function gone(path: string, { previousMode, previousSha }: DiffRecord): Sizable {
  const previous = { previousMode: modeOf(previousMode), previousSha: idOf(previousSha) };
  return { path, status: "deleted", mode: null, sha: null, size: null, ...previous };
}

function idOf(sha: string): string | null {
  return /^0+$/.test(sha) ? null : copyOf(sha);
}

/** A piece of what git said keeps all of that for as long as it is there itself. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

const MODES: readonly FileMode[] = ["100644", "100755", "120000", "160000"];

function modeOf(mode: string): FileMode | null {
  return MODES.find((known) => known === mode) ?? null;
}
