/** Writes bytes as a blob of the repository, as they are. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

/** `git hash-object -w`, without filters. Goes through a file: text to a pipe would not keep the same bytes. */
export async function writeBlob(git: Git, target: GitTarget, bytes: Uint8Array): GitAnswer<string> {
  return withScratch(git, "blob", async (folder) => {
    const file = join(folder, "content");
    await writeFile(file, bytes);
    const made = await git.run(target, ["hash-object", "-w", "--no-filters", "--", file]);
    return made.map(({ stdout }) => stdout.trim());
  });
}
