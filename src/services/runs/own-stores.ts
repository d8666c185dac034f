/** Deletes what stood for the user's package stores in a run beside all other work: nobody waits for a hundred thousand files. */
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../utils/is-there.ts";
import { removeTree } from "../../utils/remove-tree.ts";
import { ownFolders } from "../confinement/run-profile.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "./step.ts";

type Remover = Pick<ServiceContext, "paths" | "newId" | "reportFault">;

/** In the folder for temporary files, which the next start empties should this engine not come to it. */
const ASIDE = "stores-";

/** They are no longer the run's when this settles, and are deleted meanwhile. What cannot be deleted is some bytes, and no reason to fail. */
export async function discardStores(context: Remover, world: Pick<RunWorld, "run">): Promise<void> {
  const stores = ownFolders(context, world);
  if (!(await isThere(stores).catch(() => true))) return;
  const aside = join(context.paths.scratch, `${ASIDE}${context.newId()}`);
  const moved = await mkdir(context.paths.scratch, { recursive: true, mode: 0o700 })
    .then(() => rename(stores, aside))
    .then(
      () => true,
      () => false,
    );
  void deleteAll(context, [moved ? aside : stores]);
}

/** Empties the folder for temporary files when an engine starts; stores are deleted while it works already. */
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
