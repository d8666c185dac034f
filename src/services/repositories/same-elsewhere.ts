/** Finds the repositories of other workers that are the same ones for people: they have the same address (ADR 0090). */
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { workersOfRepositories } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";

interface Elsewhere {
  readonly repository: Repository;
  /** Whose disk it lies on. */
  readonly worker: string;
}

/** Each with its worker. None on an SQLite, which serves one worker alone. */
export async function sameElsewhere(
  context: Uses<"db" | "owner">,
  ones: readonly Pick<Repository, "address">[],
): Promise<readonly Elsewhere[]> {
  const than = ownWorker(context);
  const keys = new Set(ones.flatMap(({ address }) => keyOf(address) ?? []));
  if (than === null || keys.size === 0) return [];
  const others = await workersOfRepositories(context.db.reader, than);
  const all = others.size === 0 ? [] : await listRepositories(context.db.reader, null);
  return all.flatMap((repository) => {
    const worker = others.get(repository.id)?.id;
    const key = keyOf(repository.address);
    return worker !== undefined && key !== null && keys.has(key) ? [{ repository, worker }] : [];
  });
}

function keyOf(address: string | null): string | null {
  return address === null ? null : keyOfAddress(address);
}
