/** Finds files of a repository that git should not follow: links out of it, and pipes, which block git. */
import type { Dirent } from "node:fs";
import { join, sep } from "node:path";
import { readPlainFile } from "../../../utils/paths/read-plain-file.ts";
import { entriesIn, isPipe } from "../../../utils/paths/read-what-is-there.ts";
import { realLocation } from "../../../utils/paths/real-location.ts";
import type { RepositoryFlaw } from "./find-repository.ts";

/** Parts of a repository that git neither writes nor shows. */
const NEITHER_WRITTEN_NOR_SHOWN: ReadonlySet<string> = new Set(["hooks", "description"]);
/** A configuration is checked elsewhere, and git does not show the files of LFS. */
const NOT_SHOWN: ReadonlySet<string> = new Set([...NEITHER_WRITTEN_NOR_SHOWN, "config", "lfs"]);
/** Folders with files whose words git shows: the state of a step, and lines that it cannot read. */
const SHOWN_FOLDERS = [".", "info", "objects/info", "rebase-merge", "rebase-apply", "sequencer"];
/** People keep this file elsewhere, and git shows nothing of it. */
const EXCLUDES = join("info", "exclude");

const MAX_HEAD_LENGTH = 4096;

interface Folders {
  readonly gitDir: string;
  readonly commonDir: string;
}

interface Entry {
  readonly at: string;
  readonly entry: Dirent;
}

/** The first outward link among the files that a writing call may write, in git's folders at any depth. */
export function outwardLink(folders: readonly string[], inside: readonly string[]): RepositoryFlaw | null {
  return firstOutward([...new Set(folders)].flatMap(written), inside);
}

/** The first pipe or outward link among the files that every call reads. */
export function shownFlaw(folders: Folders, inside: readonly string[]): RepositoryFlaw | null {
  const entries = [...new Set([folders.gitDir, folders.commonDir])].flatMap((folder) =>
    SHOWN_FOLDERS.flatMap((name) => entriesOf(join(folder, name), name === "." ? NOT_SHOWN : new Set())),
  );
  return firstPipe(entries) ?? branchFlaw(folders) ?? firstOutward(entries, inside);
}

function firstPipe(entries: readonly Entry[]): RepositoryFlaw | null {
  const pipe = entries.find(({ at, entry }) => entry.isFIFO() || (entry.isSymbolicLink() && isPipe(at)));
  return pipe === undefined ? null : pipeFlaw(pipe.at);
}

/** A pipe in place of the ref of the checked-out branch. */
function branchFlaw({ gitDir, commonDir }: Folders): RepositoryFlaw | null {
  const head = readPlainFile(join(gitDir, "HEAD"), MAX_HEAD_LENGTH) ?? "";
  const branch = /^ref:\s*(refs\/[^\0\s]+)\s*$/.exec(head)?.[1];
  const at = branch === undefined ? null : join(commonDir, branch);
  return at !== null && isPipe(at) ? pipeFlaw(at) : null;
}

function pipeFlaw(at: string): RepositoryFlaw {
  return { at, message: `${at} is a pipe, and git would wait for it without an end.` };
}

function firstOutward(entries: readonly Entry[], inside: readonly string[]): RepositoryFlaw | null {
  for (const { at, entry } of entries) {
    if (!entry.isSymbolicLink() || at.endsWith(sep + EXCLUDES)) continue;
    const location = realLocation(at);
    const leads = location.found === "no-way" ? location.at : location.path;
    if (inside.some((root) => `${leads}${sep}`.startsWith(root + sep))) continue;
    return { at, message: `${at} is a link that leads out of the workspace, to ${leads}.` };
  }
  return null;
}

/** For one repository. New objects and packs never use an existing name, so git does not follow links among them. */
function written(gitDir: string): readonly Entry[] {
  return entriesOf(gitDir, NEITHER_WRITTEN_NOR_SHOWN).flatMap((one) => {
    const { at, entry } = one;
    if (!entry.isDirectory() || entry.name === "lfs") return [one];
    if (entry.name === "objects") return [...entriesOf(at), ...below(join(at, "info"))];
    return entry.name === "modules" ? modulesBelow(at) : below(at);
  });
}

/** Repositories of submodules. Their names may be paths. */
function modulesBelow(folder: string): readonly Entry[] {
  const entries = entriesOf(folder);
  if (entries.some(({ entry }) => entry.name === "HEAD")) return written(folder);
  return entries.flatMap((one) => [one, ...(one.entry.isDirectory() ? modulesBelow(one.at) : [])]);
}

function below(folder: string): readonly Entry[] {
  return entriesOf(folder).flatMap((one) => [one, ...(one.entry.isDirectory() ? below(one.at) : [])]);
}

function entriesOf(folder: string, without: ReadonlySet<string> = new Set()): readonly Entry[] {
  const entries = entriesIn(folder).filter(({ name }) => !without.has(name));
  return entries.map((entry) => ({ at: join(folder, entry.name), entry }));
}
