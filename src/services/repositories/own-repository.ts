/** Finds the repository of this worker that a task is to begin in. */
import { err, ok, type Result } from "neverthrow";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
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
  const address = (await namedAnywhere(context, idOrPath)).unwrapOr(null)?.address;
  const key = address ? keyOfAddress(address) : null;
  if (key === null) return found;
  const own = (await listRepositories(context.db.reader, ownWorker(context))).filter(
    (one) => one.address !== null && keyOfAddress(one.address) === key,
  );
  const same = own.find(({ url }) => url !== null) ?? own[0];
  return same === undefined ? err(found.error) : ok(same);
}
