/** Lists what is staged, or what differs between two trees: path by path, with modes, object ids and sizes. */
import { err, ok } from "neverthrow";
import type { PatchStat } from "../../domain/run/run.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { fieldReader } from "../process/nul-list.ts";
import type { RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { type Comparison, type DiffRecord, visitDiff } from "./diff-records.ts";

export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface StagedEntry {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "type_changed" | "unmerged";
  /** Null for a deleted file. `160000` is a submodule or nested repository, `120000` a symbolic link. */
  readonly mode: FileMode | null;
  readonly previousMode: FileMode | null;
  /** The blob (or, for `160000`, the commit); null for a deleted file. */
  readonly sha: string | null;
  /** The same in HEAD; null if it has none. */
  readonly previousSha: string | null;
  /** Bytes of the blob as git stores it; null if there is none. */
  readonly size: number | null;
}

/** What is staged: path by path, and as a number of files that a person would count. */
export interface Staged {
  /** Sorted by path; a rename is a deletion and an addition. */
  readonly entries: readonly StagedEntry[];
  /** A rename is one file. */
  readonly stat: PatchStat;
}

/**
 * Everything that differs between HEAD and the index, or between two trees. Trees stay the same if another process
 * writes the index.
 */
export async function listStaged(
  git: Git,
  target: GitTarget,
  comparison: Comparison = "staged",
): GitAnswer<Staged, RemoteError> {
  let entries: Sizable[] = [];
  let stat = { files: 0, additions: 0, deletions: 0 };
  const visited = await visitDiff(git, target, comparison, () => {
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

/** Git sorts by bytes, and a rename stands at its new path. Both orders are nearly always the same. */
function isSorted(entries: readonly StagedEntry[]): boolean {
  return entries.every(({ path }, at) => at === 0 || (entries[at - 1]?.path ?? "") < path);
}

/** How many entries one process is asked the sizes of. */
const ASKED_AT_ONCE = 20_000;

/** Only the sizes are printed, and the answers come in the order of the questions. So no answer needs its id. */
async function addSizes(git: Git, target: GitTarget, entries: readonly Sizable[]): GitAnswer<void> {
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

/** Built field by field. An object spread from others takes half as much memory again, and there can be a million. */
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

/** A substring of git's output keeps the whole output in memory, so it is copied. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

const MODES: readonly FileMode[] = ["100644", "100755", "120000", "160000"];

function modeOf(mode: string): FileMode | null {
  return MODES.find((known) => known === mode) ?? null;
}
