/** Collects the configuration of all submodule repositories inside a repository, checked out or not. */
import { join } from "node:path";
import { entriesIn } from "../../../utils/paths/read-what-is-there.ts";
import { type ConfigSearch, type LocalConfig, readConfig } from "./read-config.ts";

/** With more folders than this, nothing is known. */
const MAX_FOLDERS = 5_000;
/** Folders of a repository that contain no other repository. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(["objects", "refs", "logs", "hooks", "info"]);

export function readModuleConfig(gitDirs: readonly string[], search: ConfigSearch): LocalConfig {
  const waiting = [...new Set(gitDirs)].map((gitDir) => join(gitDir, "modules"));
  const paths: string[] = [];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    const folder = waiting.pop() ?? "";
    if (looked === MAX_FOLDERS) return { entries: [], unread: [`${folder} is one of too many folders.`] };
    const inside = entriesIn(folder);
    const isRepository = inside.some(({ name }) => name === "HEAD");
    if (isRepository) paths.push(join(folder, "config"), join(folder, "config.worktree"));
    for (const one of inside)
      if (one.isDirectory() && !(isRepository && OWN_FOLDERS.has(one.name)))
        waiting.push(join(folder, one.name));
      else if (one.isSymbolicLink() && !isRepository)
        return { entries: [], unread: [`${join(folder, one.name)} is a link.`] };
  }
  return readConfig(paths, search);
}
