/** Finds the repository of this worker that a task is to begin in. */
import { ok, type Result } from "neverthrow";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import type { Refusal } from "../core/refusal.ts";
import { namedAnywhere } from "./named-repository.ts";
import { registerRepository } from "./register-repository.ts";

type OwnContext = Parameters<typeof registerRepository>[0];

/**
 * As `registerRepository`. If what is named lies on another worker, the own one of the same address is meant. Refused with
 * `held_elsewhere` if there is none.
 */
export async function ownRepository(
  context: OwnContext,
  idOrPath: string,
): Promise<Result<Repository, Refusal>> {
  const found = await registerRepository(context, idOrPath);
  if (found.isOk() || found.error.code !== "held_elsewhere") return found;
  const named = (await namedAnywhere(context, idOrPath)).unwrapOr(null);
  const same = named && (await ownClone(context, named));
  return same === null ? found : ok(same);
}

/** A clone of the same address on this machine, preferably one that Tazuna made. Null if there is none. */
export async function ownClone(
  context: Uses<"db" | "owner">,
  { address }: Pick<Repository, "address">,
): Promise<Repository | null> {
  const key = address === null ? null : keyOfAddress(address);
  if (key === null) return null;
  const all = await listRepositories(context.db.reader, ownWorker(context));
  // Settings of git may rewrite the address of what was cloned from that one.
  const same = all.filter((one) =>
    [one.address, one.url].some((its) => its !== null && keyOfAddress(its) === key),
  );
  return same.find(({ url }) => url !== null) ?? same[0] ?? null;
}
