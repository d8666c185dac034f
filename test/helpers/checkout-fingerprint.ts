/** Takes the fingerprint of a user's checkout, which must stay the same byte for byte. */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";

/** Path → kind, mode and hash of every file of the checkout, and of the user's files in its git directory. */
export type Fingerprint = Readonly<Record<string, string>>;

/** What Tazuna may add to a repository: objects, references (but the stash), worktree registrations and their reflogs. */
const MAY_CHANGE =
  /^(objects|refs\/(heads|remotes|tags|tazuna)|logs\/refs\/(heads|remotes)|worktrees|packed-refs|lfs|modules)(\/|$)/;

/**
 * The checkout at `path`, whose git directory is `gitDir` (`path` itself for a bare repository). The entries of
 * `branches` in the configuration are ours and left out. Local branches are compared, but for those. `leftOut` are names
 * in the git directory.
 */
export async function fingerprint(
  checkout: { readonly path: string; readonly gitDir: string; readonly commonDir?: string },
  options: { readonly branches?: readonly string[]; readonly leftOut?: readonly string[] } = {},
): Promise<Fingerprint> {
  const { path, gitDir, commonDir = gitDir } = checkout;
  const { branches = [], leftOut = [] } = options;
  const found: Record<string, string> = {};
  if (path !== gitDir) await collect(path, path, found, (name) => name === ".git");
  for (const dir of new Set([gitDir, commonDir]))
    await collect(
      dir,
      dir,
      found,
      (name) => MAY_CHANGE.test(name) || leftOut.includes(name),
      `[${dir === gitDir ? "git" : "common"}] `,
    );
  const config = await readFile(join(commonDir, "config"), "utf8");
  found["config without our branches"] = withoutBranches(config, branches);
  for (const key of Object.keys(found)) if (/\] config$/.test(key)) delete found[key];
  return found;
}

async function collect(
  root: string,
  folder: string,
  found: Record<string, string>,
  skip: (name: string) => boolean,
  prefix = "",
): Promise<void> {
  for (const entry of (await readdir(folder)).sort()) {
    const full = join(folder, entry);
    const name = relative(root, full);
    if (skip(name)) continue;
    const stats = await lstat(full);
    if (stats.isDirectory()) await collect(root, full, found, skip, prefix);
    else {
      const content = stats.isSymbolicLink() ? await readlink(full) : await readFile(full);
      const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
      found[prefix + name] = `${(stats.mode & 0o777).toString(8)} ${stats.mtimeMs} ${hash}`;
    }
  }
}

/** The configuration without the sections of the given branches, which `push -u` writes. */
function withoutBranches(config: string, branches: readonly string[]): string {
  let inside = false;
  return config
    .split("\n")
    .filter((line) => {
      const branch = /^\[branch "(.*)"\]$/.exec(line)?.[1];
      if (line.startsWith("[")) inside = branch !== undefined && branches.includes(branch);
      return !inside;
    })
    .join("\n")
    .trimEnd();
}
