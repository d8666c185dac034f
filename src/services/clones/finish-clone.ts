/** After a crash: records a clone that was whole, and takes away one that was not. */
import { join } from "node:path";
import type { Operation } from "../../domain/operation.ts";
import { locateGitDir } from "../../git/process/locate-git-dir.ts";
import { getRepository, insertRepository, markRepository } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import type { Uses } from "../core/context-parts.ts";
import { repositoryChanged } from "../repositories/repository-changed.ts";
import { bringSettings } from "../repositories/settings-of-clone.ts";
import { CLONE_MARKER } from "./clone-repository.ts";
import { bringRefsBack } from "./put-away-before.ts";

/** The git of the killed engine may still write. Only the move to its place, which came last, makes a clone whole. */
export async function finishClone(
  context: Uses<"db" | "git" | "clock" | "owner">,
  { subject: { id }, before }: Operation,
): Promise<void> {
  const { aside, path, url, name } = before ?? {};
  if (typeof aside !== "string" || typeof path !== "string") return;
  if (typeof url !== "string" || typeof name !== "string") return;
  await stopMarked({ name: CLONE_MARKER, value: aside });
  await removeTree(aside);
  const commonDir = join(path, ".git");
  if ((await locateGitDir(path))?.commonDir !== commonDir) return;
  await bringRefsBack(context, { id, commonDir });
  const settled = await bringSettings(context.git, { path, commonDir });
  if (settled.isErr()) throw new Error(settled.error.message);
  const isKnown = (await getRepository(context.db.reader, id)) !== null;
  await transact(context.db, async (trx) => {
    const createdAt = context.clock.iso();
    await repositoryChanged(trx, { id, at: createdAt, state: "added" });
    if (isKnown) await markRepository(trx, { id, removedAt: null });
    else
      await insertRepository(
        trx,
        { id, name, path, commonDir, bare: true, url, address: url, createdAt },
        context.owner,
      );
  });
}

/** Whether it came to a clone, after `finishClone`. */
export async function cloneCameTo(
  { db }: Uses<"db">,
  { subject, before }: Operation,
): Promise<Operation["after"]> {
  const path = before?.path;
  if (typeof path !== "string" || (await locateGitDir(path)) === null) return null;
  return (await getRepository(db.reader, subject.id)) === null ? null : { path };
}
