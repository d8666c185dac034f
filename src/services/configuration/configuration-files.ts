/** Names the files that may hold settings, and notices by what the file system says of them that one changed. */
import { stat } from "node:fs/promises";
import { join } from "node:path";

/** A repository's own files, the stronger first, whether they are there or not. */
export function repositoryFilesOf(repositoryPath: string | null): readonly string[] {
  if (repositoryPath === null) return [];
  return ["config.local.json", "config.json"].map((name) => join(repositoryPath, ".tazuna", name));
}

/** How files look now. To be asked before they are read, so that no later change is missed. */
export async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file, { bigint: true }).catch(() => null);
      return found === null ? "-" : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
    }),
  );
  return stamps.join();
}
