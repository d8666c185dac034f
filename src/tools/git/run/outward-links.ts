/** Finds files of a repository that are links out of it: git would write there, or show what stands there. */
import { type Dirent, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { realLocation } from "../../../utils/real-location.ts";
import type { RepositoryFlaw } from "./find-repository.ts";

/** Of a repository. Git writes neither, and shows nothing of them. */
const NEITHER_WRITTEN_NOR_SHOWN: ReadonlySet<string> = new Set(["hooks", "description"]);
/** A configuration is looked at for itself; what LFS keeps there git does not show. */
const NOT_SHOWN: ReadonlySet<string> = new Set([...NEITHER_WRITTEN_NOR_SHOWN, "config", "lfs"]);
/** Below them lie the files whose words git shows: where it stands, and what it cannot read. */
const SHOWN_FOLDERS = [".", "info", "objects/info", "rebase-merge", "rebase-apply", "sequencer"];
/** People keep it elsewhere; git shows nothing of it. */
const EXCLUDES = join("info", "exclude");

interface Entry {
  readonly at: string;
  readonly entry: Dirent;
}

/** The first link out of what a writing call may write to, in folders of git at any depth. */
export function outwardLink(folders: readonly string[], inside: readonly string[]): RepositoryFlaw | null {
  return firstOutward([...new Set(folders)].flatMap(written), inside);
}

/** The first link out of what a reading call may show. */
export function shownLink(folders: readonly string[], inside: readonly string[]): RepositoryFlaw | null {
  const entries = [...new Set(folders)].flatMap((folder) =>
    SHOWN_FOLDERS.flatMap((name) => entriesOf(join(folder, name), name === "." ? NOT_SHOWN : new Set())),
  );
  return firstOutward(entries, inside);
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

/** Of one repository. New objects and packs take no name that is there: links among them are not followed. */
function written(gitDir: string): readonly Entry[] {
  return entriesOf(gitDir, NEITHER_WRITTEN_NOR_SHOWN).flatMap((one) => {
    const { at, entry } = one;
    if (!entry.isDirectory() || entry.name === "lfs") return [one];
    if (entry.name === "objects") return [...entriesOf(at), ...below(join(at, "info"))];
    return entry.name === "modules" ? modulesBelow(at) : below(at);
  });
}

/** Repositories of submodules, whose names may be paths. */
function modulesBelow(folder: string): readonly Entry[] {
  const entries = entriesOf(folder);
  if (entries.some(({ entry }) => entry.name === "HEAD")) return written(folder);
  return entries.flatMap((one) => [one, ...(one.entry.isDirectory() ? modulesBelow(one.at) : [])]);
}

function below(folder: string): readonly Entry[] {
  return entriesOf(folder).flatMap((one) => [one, ...(one.entry.isDirectory() ? below(one.at) : [])]);
}

/** None where there is no such folder. */
function entriesOf(folder: string, without: ReadonlySet<string> = new Set()): readonly Entry[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !without.has(name))
      .map((entry) => ({ at: join(folder, entry.name), entry }));
  } catch {
    return [];
  }
}
