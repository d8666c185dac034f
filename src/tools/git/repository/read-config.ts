/** Collects what the files of a repository configure, with all included files. */
import { dirname } from "node:path";
import { isPlainText, placeFrom } from "../../../utils/paths/pointer-files.ts";
import type { KnownFiles } from "./known-files.ts";
import { type ConfigEntry, parseConfig } from "./parse-config.ts";

export interface LocalConfig {
  readonly entries: readonly ConfigEntry[];
  /** Files that git may read and this could not, each with the reason as a sentence. */
  readonly unread: readonly string[];
}

export interface ConfigSearch {
  readonly files: KnownFiles;
  /** What `~/` stands for. */
  readonly home: string | null;
}

/** As deep as git itself follows includes. */
const DEEPEST = 10;
/** The most files to read, each counted as often as it is included. */
const MAX_FILES = 500;

/** Conditions of includes count as true, so that nothing is missed. */
export function readConfig(paths: readonly string[], search: ConfigSearch): LocalConfig {
  const entries: ConfigEntry[] = [];
  const unread: string[] = [];
  let count = 0;
  const read = (path: string, depth: number): void => {
    count += 1;
    // One unread file is enough to refuse. Files that include each other would otherwise be read without end.
    if (unread.length > 0) return;
    if (count > MAX_FILES) {
      unread.push(`${path} is one of more than ${MAX_FILES} files that are included.`);
      return;
    }
    const answer = search.files.ask(path, (bytes) => parseConfig(bytes.toString("utf8")));
    if (answer.kind === "absent") return;
    if (answer.kind === "odd") {
      unread.push(`${path} is no readable file.`);
      return;
    }
    for (const entry of answer.value) {
      if (unread.length > 0) return;
      entries.push(entry);
      if (!isInclude(entry) || entry.value === null) continue;
      const included = includedPath(entry.value, path, search);
      if (included === null || depth === DEEPEST) unread.push(`${path} includes ${entry.value}.`);
      else read(included, depth + 1);
    }
  };
  for (const path of paths) read(path, 0);
  return { entries, unread };
}

/** Whether the entry includes another file. */
export function isInclude({ section, key, name }: ConfigEntry): boolean {
  return key === "path" && ((section === "include" && name === null) || section === "includeif");
}

/** Null if git may read another path: for the home of another user, or the folder of git's own installation. */
function includedPath(value: string, from: string, { home }: ConfigSearch): string | null {
  if (!isPlainText(value)) return null;
  if (value.startsWith("~/")) return home === null ? null : `${home}/${value.slice(2)}`;
  if (value.startsWith("~") || value.startsWith("%(prefix)")) return null;
  return placeFrom(dirname(from), value);
}
