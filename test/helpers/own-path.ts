/** Makes a folder that stands for the whole PATH, so that a program can be missing. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/** What the product, its runtime and the shell scripts of tests start. */
const USUAL = [
  ...[
    "awk",
    "basename",
    "bash",
    "bun",
    "cat",
    "chmod",
    "cp",
    "dirname",
    "env",
    "git",
    "git-lfs",
    "gpg",
    "head",
  ],
  ...["ls", "mkdir", "mv", "node", "ps", "readlink", "rm", "sed", "sh", "sleep", "ssh", "touch", "uname"],
];

/** The new folder's path; the programs of `without` are not in it, and neither is any sandbox. */
export async function ownPath(folder: string, without: readonly string[] = []): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of USUAL) {
    const real = Bun.which(name);
    if (real !== null && !without.includes(name)) await symlink(real, join(folder, name));
  }
  return folder;
}
