/** Clones a repository anew that went for room on the disk, when it is needed again (ADR 0104). */
import { ok, type Result } from "neverthrow";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Refusal } from "../core/refusal.ts";
import { type CloneContext, cloneFromUrl } from "./clone-repository.ts";
import { wasPutAway } from "./put-away-before.ts";

/**
 * Does nothing if it is there; waits if it is just going. What a person moved or deleted is not cloned: whoever uses it
 * says that it is gone.
 */
export async function ensureClone(
  context: CloneContext,
  repository: Repository,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result<"there" | "cloned", Refusal>> {
  const { url } = repository;
  if (url === null) return ok("there");
  const away = await context.locks.shared(`clone:${keyOfAddress(url)}`, () =>
    wasPutAway(context.db.reader, repository),
  );
  return away ? (await cloneFromUrl(context, url, { signal })).map(() => "cloned") : ok("there");
}
