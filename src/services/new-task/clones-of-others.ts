/** Finds the clones of a repository's address that other workers have, as the rows say. */
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { repositoriesFromUrl } from "../../storage/tables/repositories.ts";
import { workersOfRepositories } from "../../storage/team/workers.ts";
import { wentLast } from "../clones/put-away-before.ts";
import type { Uses } from "../core/context-parts.ts";
import { sameElsewhere } from "../repositories/same-elsewhere.ts";

interface ClonesOfOthers {
  /** By worker, the id of its clone: the one that was named, else one that Tazuna made, in which nobody works. */
  readonly clones: ReadonlyMap<string, string>;
  /** The workers whose clone lies there. Others put it away for room, and clone anew. */
  readonly whole: ReadonlySet<string>;
}

export async function clonesOfOthers(
  context: Uses<"db" | "owner">,
  repository: Repository,
): Promise<ClonesOfOthers> {
  const clones = new Map<string, string>();
  const rank = ({ id, url }: Repository) => (id === repository.id ? 2 : url === null ? 0 : 1);
  const all = await sameElsewhere(context, [repository]);
  for (const each of all.toSorted((one, other) => rank(one.repository) - rank(other.repository)))
    clones.set(each.worker, each.repository.id);
  const gone = await Promise.all([...clones.values()].map((id) => wentLast(context.db.reader, id)));
  return { clones, whole: new Set([...clones.keys()].filter((_, index) => gone[index] === false)) };
}

/** The other workers that cloned the address some time. Without a clone now, a person took it out of the list there. */
export async function clonedOnceAt(
  { db: { reader } }: Uses<"db">,
  { key, own }: { readonly key: string; readonly own: string },
): Promise<readonly string[]> {
  const others = await workersOfRepositories(reader, own);
  const cloned = (await repositoriesFromUrl(reader, null)).filter(
    ({ url }) => url !== null && keyOfAddress(url) === key,
  );
  return [...new Set(cloned.flatMap(({ id }) => others.get(id)?.id ?? []))];
}
