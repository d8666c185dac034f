/** Checks all that git would open in a local repository, and finds the first path that it must not open. */
import { type Dirent, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../values/try-or.ts";
import { type Followed, followPath, isWritable, type ToolPlaces } from "./follow-path.ts";
import { isInside } from "./path-spelling.ts";
import { isPlainText, namedGitDir, placeFrom, withoutLineEnds } from "./pointer-files.ts";
import { readPlainFile } from "./read-plain-file.ts";
import { entriesIn } from "./read-what-is-there.ts";

interface OpenedFlaw {
  /** Absolute: the file or folder that must not be opened. */
  readonly at: string;
  /** One sentence. */
  readonly message: string;
}

interface OpeningOptions {
  readonly places: ToolPlaces;
  /** Whether the path must be in a folder that the host granted. */
  readonly mustBeGranted: boolean;
  /** Absolute paths that the configuration of the repository in this folder names. */
  readonly namedPaths: (gitDir: string) => readonly string[];
}

/** The endings that git tries after the path, and a bundle. Git takes the first that exists; all are checked. */
const SUFFIXES = ["/.git", "", ".git/.git", ".git", ".bundle"];
/** The size limit in bytes of a file that names another place. */
const MAX_POINTER_LENGTH = 1024 * 1024;
/** The limit on files in one repository. */
const MAX_ENTRIES = 200_000;

/** `path` is absolute and not shortened: `link/../x` follows the link. Null if all of it may be opened. */
export function openedFlaw(path: string, options: OpeningOptions): OpenedFlaw | null {
  const opening = { ...options, seen: new Set<string>() };
  const plain = path.replace(/\/+$/, "");
  const isGranted = followPath(plain, options.places, { mustBeGranted: true }).found === "something";
  for (const suffix of SUFFIXES) {
    // A granted path cannot be replaced, but git may try other endings first.
    if (isGranted && !isThere(plain + suffix)) continue;
    const flaw = repositoryFlaw(plain + suffix, options.mustBeGranted, opening);
    if (flaw !== null) return flaw;
  }
  return null;
}

interface Opening extends OpeningOptions {
  /** Folders that were checked already. */
  readonly seen: Set<string>;
}

/** The flaw of a repository: `path` is its folder, or a file that names its folder. */
function repositoryFlaw(path: string, mustBeGranted: boolean, opening: Opening): OpenedFlaw | null {
  const followed = followPath(path, opening.places, { mustBeGranted });
  if (followed.found !== "something") return flawOf(followed);
  const { path: real, stats } = followed;
  if (stats.isDirectory()) return isThere(join(real, "HEAD")) ? folderFlaw(real, opening) : null;
  const named = namedGitDir(textIn(real) ?? "");
  if (named === null) return null;
  if (!isPlainText(named)) return unclear(real);
  return repositoryFlaw(placeFrom(dirname(real), named), isWritable(real, opening.places), opening);
}

function folderFlaw(gitDir: string, opening: Opening): OpenedFlaw | null {
  const { places, namedPaths, seen } = opening;
  if (seen.has(gitDir)) return null;
  seen.add(gitDir);
  const entries = entriesOf(gitDir);
  if (entries.length > MAX_ENTRIES)
    return { at: gitDir, message: `${gitDir} holds more files than are looked at.` };
  const isOurs = isWritable(join(gitDir, "config"), places);
  const flaw =
    entryFlaw(gitDir, entries, places) ??
    firstFlaw(namedPaths(gitDir), (path) => flawOf(followPath(path, places, { mustBeGranted: isOurs })));
  if (flaw !== null) return flaw;
  const pointer = join(gitDir, "commondir");
  const common = readPointer(pointer, opening);
  if (common !== null) {
    if (!isPlainText(common.text)) return unclear(pointer);
    const commonFlaw = repositoryFlaw(placeFrom(gitDir, common.text), common.mustBeGranted, opening);
    if (commonFlaw !== null) return commonFlaw;
  }
  return storeFlaw(join(gitDir, "objects"), false, opening);
}

/** The flaw of an object store, or of the stores from which it borrows. */
function storeFlaw(path: string, mustBeGranted: boolean, opening: Opening): OpenedFlaw | null {
  const followed = followPath(path, opening.places, { mustBeGranted });
  if (followed.found !== "something") return flawOf(followed);
  const store = followed.path;
  if (opening.seen.has(store)) return null;
  opening.seen.add(store);
  const entries = [store, join(store, "info"), join(store, "pack")].flatMap((folder) => inFolder(folder));
  const flaw = entryFlaw(store, entries, opening.places);
  if (flaw !== null) return flaw;
  const at = join(store, "info", "alternates");
  const alternates = readPointer(at, opening);
  if (alternates === null) return null;
  const lines = alternates.text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return firstFlaw(lines, (line) =>
    isPlainText(line) && !line.startsWith('"')
      ? storeFlaw(placeFrom(store, line), alternates.mustBeGranted, opening)
      : unclear(at),
  );
}

/** Only links lead out of the folder. If tools can write below the folder, every entry is checked. */
function entryFlaw(folder: string, entries: readonly Entry[], places: ToolPlaces): OpenedFlaw | null {
  const checksAll =
    places.asksSystem || places.writable.some((one) => isInside(folder, one, process.platform));
  return firstFlaw(entries, ({ at, isLink }) =>
    checksAll || isLink ? flawOf(followPath(at, places)) : null,
  );
}

function firstFlaw<Item>(
  items: readonly Item[],
  flawOfItem: (item: Item) => OpenedFlaw | null,
): OpenedFlaw | null {
  for (const item of items) {
    const flaw = flawOfItem(item);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** The text of a file, and whether tools can write that file. */
function readPointer(
  path: string,
  { places }: Opening,
): { readonly text: string; readonly mustBeGranted: boolean } | null {
  const followed = followPath(path, places);
  if (followed.found !== "something") return null;
  const text = textIn(followed.path);
  return text === null ? null : { text, mustBeGranted: isWritable(followed.path, places) };
}

function flawOf(followed: Followed): OpenedFlaw | null {
  if (followed.found !== "refused") return null;
  const { at, why } = followed;
  return { at, message: `${at} ${why}.` };
}

function unclear(at: string): OpenedFlaw {
  return { at, message: `${at} does not plainly say where it leads.` };
}

/** The text without its line ends. */
function textIn(path: string): string | null {
  const text = readPlainFile(path, MAX_POINTER_LENGTH);
  return text === null ? null : withoutLineEnds(text);
}

/** Folders of a repository whose files git reads or runs at any depth. */
const DEEP: ReadonlySet<string> = new Set(["hooks", "info", "logs", "refs", "reftable"]);

interface Entry {
  readonly at: string;
  readonly isLink: boolean;
}

function entriesOf(gitDir: string): readonly Entry[] {
  return inFolder(gitDir, (entry) => entry.isDirectory() && DEEP.has(entry.name));
}

/** The entries of a folder, and all entries below those that `goesInto` accepts. */
function inFolder(folder: string, goesInto: (entry: Dirent) => boolean = () => false): readonly Entry[] {
  const found: Entry[] = [];
  const waiting = [{ folder, all: false }];
  for (let next = waiting.pop(); next !== undefined && found.length <= MAX_ENTRIES; next = waiting.pop())
    for (const entry of entriesIn(next.folder)) {
      const at = join(next.folder, entry.name);
      found.push({ at, isLink: entry.isSymbolicLink() });
      if (entry.isDirectory() && (next.all || goesInto(entry))) waiting.push({ folder: at, all: true });
    }
  return found;
}

/** A link without a target counts too, as in git. */
function isThere(path: string): boolean {
  return tryOr(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);
}
