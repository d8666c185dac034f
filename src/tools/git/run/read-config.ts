/** Collects what the files of a repository configure, with everything that they include. */
import { dirname, isAbsolute, join } from "node:path";
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

/** Conditions of includes are taken for true, so that nothing is missed. */
export function readConfig(paths: readonly string[], search: ConfigSearch): LocalConfig {
  const entries: ConfigEntry[] = [];
  const unread: string[] = [];
  const read = (path: string, depth: number): void => {
    const answer = search.files.ask(path, (bytes) => parseConfig(bytes.toString("utf8")));
    if (answer.kind === "absent") return;
    if (answer.kind === "odd") {
      unread.push(`${path} is no readable file.`);
      return;
    }
    for (const entry of answer.value) {
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

/** Null for the home of somebody else and for the folder of git's own installation. */
function includedPath(value: string, from: string, { home }: ConfigSearch): string | null {
  if (value.startsWith("~/")) return home === null ? null : join(home, value.slice(2));
  if (value.startsWith("~") || value.startsWith("%(prefix)")) return null;
  return isAbsolute(value) ? value : join(dirname(from), value);
}
