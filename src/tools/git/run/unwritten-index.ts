/** Leads a reading call to the index by a way on which git cannot write it back, as `diff` and `describe --dirty` do on their own. */
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Git looks through five links for the place of its lock; reading follows them all. */
const LINKS = 8;

/**
 * One way to each index, by the folder of its repository. They belong to the process, not to a context: a call that is under
 * way when its context is closed must not find an empty index, and a context that nobody closes must leave nothing.
 */
const known = new Map<string, string | null>();
let folder: string | null = null;

/** For `GIT_INDEX_FILE`; null where there can be no such links: the call then does what git always does. */
export function wayToIndex(gitDir: string): string | null {
  const found = known.get(gitDir);
  if (found !== undefined && (found === null || isThere(found))) return found;
  const way = makeWay(join(gitDir, "index"));
  known.set(gitDir, way);
  return way;
}

/** What is temporary may be cleared away while this process lives. */
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

/** Wherever git stops among the links, the lock that it would take is taken: it reads, and leaves the index as it is. */
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
