/** Gives a reading call a path to the index that git cannot write: `diff` and `describe --dirty` would update it. */
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Git follows at most five links to find the place of its lock. Reading follows them all. */
const LINKS = 8;

/**
 * One path to each index, by the folder of its repository. The paths belong to the process and not to a context. If
 * a context is closed during a call, the call must not find an empty index. If a context is never closed, it must
 * leave no files behind.
 */
const known = new Map<string, string | null>();
let folder: string | null = null;

/** For `GIT_INDEX_FILE`; null if no such links can be made. The call then behaves as git usually does. */
export function wayToIndex(gitDir: string): string | null {
  const found = known.get(gitDir);
  if (found !== undefined && (found === null || isThere(found))) return found;
  const way = makeWay(join(gitDir, "index"));
  known.set(gitDir, way);
  return way;
}

/** The system may remove temporary files while this process lives. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function folderOfProcess(): string {
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
  const made = mkdtempSync(join(tmpdir(), "tazuna-index-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** At each link, the lock that git would take exists already. So git reads the index, and does not write it. */
function makeWay(index: string): string | null {
  let at = index;
  try {
    const place = mkdtempSync(join(folderOfProcess(), "way-"));
    for (let link = 1; link <= LINKS; link += 1) {
      const next = join(place, `index-${link}`);
      symlinkSync(at, next);
      writeFileSync(`${next}.lock`, "");
      at = next;
    }
    return at;
  } catch {
    return null;
  }
}
