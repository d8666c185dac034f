/** Makes temporary folders that vanish when their scope ends. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../src/utils/files/remove-tree.ts";

export interface TempDir extends AsyncDisposable {
  /** Real absolute path. */
  readonly path: string;
}

/** A new empty folder; use it with `await using`. */
export async function tempDir(): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "tazuna-test-")));
  return {
    path,
    // Nobody but root may delete what lies in folders that were closed.
    [Symbol.asyncDispose]: () =>
      rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => removeTree(path)),
  };
}
