/** Leads a reading call to the index by a way on which git cannot write it back, as `diff` and `describe --dirty` do on their own. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SharedKey } from "../../core/kept-things.ts";

interface Ways {
  /** For `GIT_INDEX_FILE`; null where the system makes no links: the call then does what git always does. */
  to(gitDir: string): string | null;
  close(): Promise<void>;
}

/** One way to each index of a context, in a temporary folder that ends with it. */
export const WAYS_TO_INDEX: SharedKey<Ways> = {
  name: "ways to an index",
  make: createWays,
  close: (ways) => ways.close(),
};

/** Git looks through five links for the place of its lock; reading follows them all. */
const LINKS = 8;

function createWays(): Ways {
  const known = new Map<string, string | null>();
  let folder: string | null = null;
  return {
    to(gitDir) {
      const found = known.get(gitDir);
      if (found !== undefined) return found;
      folder ??= mkdtempSync(join(tmpdir(), "tazuna-index-"));
      const way = makeWay(join(folder, String(known.size)), join(gitDir, "index"));
      known.set(gitDir, way);
      return way;
    },
    close: async () => {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Wherever git stops among the links, the lock that it would take is taken: it reads, and leaves the index as it is. */
function makeWay(folder: string, index: string): string | null {
  mkdirSync(folder);
  let at = index;
  try {
    for (let link = 1; link <= LINKS; link += 1) {
      const next = join(folder, `index-${link}`);
      symlinkSync(at, next);
      writeFileSync(`${next}.lock`, "");
      at = next;
    }
    return at;
  } catch {
    return null;
  }
}
