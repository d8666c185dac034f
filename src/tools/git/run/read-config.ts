/** Collects what the files of a repository configure, with everything that they include. */
import { dirname } from "node:path";
import { isPlainText, placeFrom } from "./find-repository.ts";
import type { KnownFiles } from "./known-files.ts";
import { type ConfigEntry, parseConfig } from "./parse-config.ts";

export interface LocalConfig {
  readonly entries: readonly ConfigEntry[];
  /** Files that git may read and this could not, with the reason as a sentence. */
  readonly unread: readonly string[];
}

export interface ConfigSearch {
  readonly files: KnownFiles;
  /** What `~/` stands for. */
  readonly home: string | null;
}

/** As deep as git itself follows includes. */
const DEEPEST = 10;
/** Files that are read in all, each as often as it is included. */
const MOST_FILES = 500;

/** Conditions of includes are taken for true, so that nothing is missed. */
export function readConfig(paths: readonly string[], search: ConfigSearch): LocalConfig {
  const entries: ConfigEntry[] = [];
  const unread: string[] = [];
  let count = 0;
  const read = (path: string, depth: number): void => {
    count += 1;
    // One is enough to refuse; without an end, files that include each other would be read for ever.
    if (unread.length > 0) return;
    if (count > MOST_FILES) {
      unread.push(`${path} is one of more than ${MOST_FILES} files that are included.`);
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

function isInclude({ section, key, name }: ConfigEntry): boolean {
  return key === "path" && ((section === "include" && name === null) || section === "includeif");
}

/** Null for what may be another path to git, for the home of somebody else and for the folder of git's own installation. */
function includedPath(value: string, from: string, { home }: ConfigSearch): string | null {
  if (!isPlainText(value)) return null;
  if (value.startsWith("~/")) return home === null ? null : `${home}/${value.slice(2)}`;
  if (value.startsWith("~") || value.startsWith("%(prefix)")) return null;
  return placeFrom(dirname(from), value);
}
