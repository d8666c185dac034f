/** Brings the folder `.tazuna` of a clone's default branch beside its git directory, from where settings are read. */
import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { visitBlobs } from "../../git/index/read-blobs.ts";
import { type FileInTree, listTreeFiles } from "../../git/index/tree-files.ts";
import type { GitAnswer } from "../../git/process/git-error.ts";
import type { Git } from "../../git/runner/run-git.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { realPathInside } from "../../utils/paths/safe-path.ts";
import { repositoryTarget } from "../run-core/targets.ts";

const FOLDER = ".tazuna";
/** The user's own settings for this clone. Git ignores them, and so does this. */
const USERS = "config.local.json";
const MAX_BYTES = 16 * 1024 ** 2;

/** May be repeated. Each file is replaced as a whole; what the branch has no more goes. */
export async function bringSettings(
  git: Git,
  repository: Pick<Repository, "path" | "commonDir">,
): GitAnswer<void> {
  const target = repositoryTarget(repository);
  const listed = await listTreeFiles(git, target, { revision: "refs/remotes/origin/HEAD", folder: FOLDER });
  if (listed.isErr()) return err(listed.error);
  // Without a default branch nobody knows which settings hold: they stay as they are.
  if (listed.value === null) return ok(undefined);
  const files = listed.value.filter(({ path }) => path !== `${FOLDER}/${USERS}`);
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    return err({
      kind: "output_too_large",
      command: "git ls-tree",
      message: `the folder ${FOLDER} of its default branch holds more than 16 MiB`,
    });
  await removeOthers(repository.path, new Set(files.map(({ path }) => path)));
  return visitBlobs(git, target, files, async (file, bytes) => {
    await writeOne(repository.path, file, bytes);
    return true;
  });
}

async function writeOne(folder: string, { path, executable }: FileInTree, bytes: Uint8Array): Promise<void> {
  const inside = realPathInside(folder, path, { missing: "allow" });
  if (!inside.ok) return;
  const file = join(folder, path);
  const mode = executable ? 0o700 : 0o600;
  const before = await readFile(file).catch(() => null);
  if (before?.equals(bytes)) return chmod(file, mode);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, bytes, { mode });
}

/** Deletes what the branch does not have; a file in the place of a folder goes too. */
async function removeOthers(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  const found = await readdir(join(folder, FOLDER), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    const isFolder = entry.isDirectory();
    const stays =
      path === `${FOLDER}/${USERS}` ||
      (isFolder ? [...wanted].some((one) => one.startsWith(`${path}/`)) : wanted.has(path));
    if (!stays) await removeTree(join(folder, path));
  }
}
