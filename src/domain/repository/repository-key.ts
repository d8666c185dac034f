/** Says what counts as one repository for the limits. */
import { keyOfAddress } from "./clone-address.ts";
import type { Repository } from "./repository.ts";

/**
 * Checkouts with one directory of objects and refs are one repository. On a Postgres the clones of one address are one,
 * too; without an address a path means another one on each worker.
 */
export function repositoryKey(
  { commonDir, address }: Pick<Repository, "commonDir" | "address">,
  worker: string | null,
): string {
  if (worker === null) return commonDir;
  return (address === null ? null : keyOfAddress(address)) ?? `${worker}:${commonDir}`;
}
