/** Lists the files that a search may look into, the same for every engine. */
import { join } from "node:path";
import { isGitName } from "../../files/git-directory.ts";
import type { IgnoreRules } from "../../files/ignore-rules.ts";
import { listFolder } from "../../files/list-folder.ts";
import type { Pause } from "./scan_file.ts";

interface SearchedFolder {
  readonly root: string;
  /** Relative to `root`. */
  readonly folder: string;
  /** Null if ignored files are searched too, because the folder itself is ignored. */
  readonly rules: IgnoreRules | null;
  /** Whether the caller wants this file, by its path in the workspace. */
  readonly isWanted: (path: string) => boolean;
}

export interface WalkedFiles {
  /** Relative to the workspace, in the order of code units. */
  readonly files: readonly string[];
  /** Whether the walk ended early. */
  readonly cut: boolean;
}

interface WalkOptions {
  readonly pause: Pause;
  readonly onUnreadable: () => void;
}

/** All plain files below the folder that are wanted, not ignored and not git's own. */
export async function walkFiles(
  { root, folder, rules, isWanted }: SearchedFolder,
  { pause, onUnreadable }: WalkOptions,
): Promise<WalkedFiles> {
  const files: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const pausing = pause();
    if (pausing !== false && (await pausing)) return { files: files.sort(), cut: true };
    const current = next;
    const listed = listFolder(root, join(root, current), (entries) => {
      for (const { name, kind } of entries) {
        const path = current === "." ? name : `${current}/${name}`;
        if (isGitName(name) || (kind !== "directory" && kind !== "file")) continue;
        if (rules?.isIgnored(path, kind)) continue;
        if (kind === "directory") pending.push(path);
        else if (isWanted(path)) files.push(path);
      }
      return true;
    });
    if (listed === null) onUnreadable();
  }
  return { files: files.sort(), cut: false };
}
