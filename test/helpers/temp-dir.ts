/** Makes temporary folders that vanish when their scope ends. */
import { statSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../src/utils/files/remove-tree.ts";

export interface TempDir extends AsyncDisposable {
  /** Real absolute path. */
  readonly path: string;
}

/**
 * A place that every program sees. The command sandbox of Codex has a `/dev` of its own. That hides `/dev/shm`, which
 * may hold the temporary folder of the run.
 */
export const OUTSIDE_DEV = tmpdir().startsWith("/dev/") ? "/tmp" : tmpdir();

/** A new empty folder; use it with `await using`. It lies in the temporary folder of the run unless `place` is given. */
export async function tempDir(place: string = tmpdir()): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(place, "tazuna-test-")));
  return {
    path,
    // Only root may delete what lies in folders that were closed.
    [Symbol.asyncDispose]: () =>
      rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => removeTree(path)),
  };
}

/** A place for temporary folders on another file system than that of the run; null if there is none. */
export function otherFileSystem(): string | null {
  const device = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev ?? null;
  const here = device(tmpdir());
  const isOther = (path: string) => device(path) !== null && device(path) !== here;
  return ["/dev/shm", "/tmp", "/var/tmp"].find(isOther) ?? null;
}
