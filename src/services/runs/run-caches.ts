/** Deletes a run's package caches in the background: they can have a hundred thousand files. */
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { ownFolders } from "../confinement/run-profile.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";

type Remover = Uses<"paths" | "newId" | "reportFault">;

/** In the folder for temporary files, which the next start empties if this engine does not. */
const ASIDE = "stores-";

/**
 * When this settles, they no longer belong to the run; the deletion goes on. A failed deletion only costs disk space,
 * so it is not an error.
 */
export async function discardRunCaches(context: Remover, world: Pick<RunWorld, "run">): Promise<void> {
  const caches = ownFolders(context, world);
  if (!(await isThere(caches).catch(() => true))) return;
  const aside = join(context.paths.scratch, `${ASIDE}${context.newId()}`);
  const moved = await mkdir(context.paths.scratch, { recursive: true, mode: 0o700 })
    .then(() => rename(caches, aside))
    .then(
      () => true,
      () => false,
    );
  void deleteAll(context, [moved ? aside : caches]);
}

/** Empties the folder for temporary files when an engine starts; caches are deleted while it works already. */
export async function emptyScratch(context: Remover): Promise<void> {
  const { scratch } = context.paths;
  const names = (await isThere(scratch)) ? await readdir(scratch) : [];
  for (const name of names) if (!name.startsWith(ASIDE)) await removeTree(join(scratch, name));
  void deleteAll(
    context,
    names.filter((name) => name.startsWith(ASIDE)).map((name) => join(scratch, name)),
  );
}

async function deleteAll({ reportFault }: Remover, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    await removeTree(folder).catch((error) => reportFault(`deleting ${folder}`, error));
}
