/** Finds the depot of a repository: one bare repository for each address, so that all its clones share it. */
import { createHash } from "node:crypto";
import type { Depot } from "../../domain/depot/depot.ts";
import { readCloneAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { DepotAccess } from "../../git/depot/depot-access.ts";
import { readDepot, setDepot } from "../../storage/team/depot.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";

/** Null if there is no depot, or if the repository has no address. */
export async function depotOf(
  { db, owner, ownDepot }: Uses<"db" | "owner" | "ownDepot">,
  repository: Pick<Repository, "address">,
): Promise<DepotAccess | null> {
  const name = repository.address === null ? null : depotName(repository.address);
  const depot = name === null ? null : await readDepot(db.reader);
  if (depot === null) return null;
  if (depot.kind === "elsewhere") return { url: `${depot.url}/${name}`, key: null };
  // This engine need not reach its own server by the name that others use.
  return {
    url: `${ownDepot.servedAt ?? depot.url}/${name}`,
    key: { worker: owner, secret: ownDepot.key },
  };
}

const LONGEST = 40;
/** 128 bits: nobody makes an address whose copies come into another one's repository. */
const HASH_LENGTH = 32;

/** A folder such as `shop-0f3c….git`, the same for all addresses of one repository. Null for an address that is none. */
export function depotName(address: string): string | null {
  const read = readCloneAddress(address);
  if (read.isErr()) return null;
  const { key, name } = read.value;
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  const hash = createHash("sha256").update(key).digest("hex").slice(0, HASH_LENGTH);
  return `${words === "" ? "repository" : words}-${hash}.git`;
}

/** Each worker reads it anew at each copy. Null: there is none from now on, and what lies in the former one stays. */
export async function placeDepot({ db }: Uses<"db">, to: Pick<Depot, "kind" | "url"> | null): Promise<void> {
  await transact(db, (trx) => setDepot(trx, to));
}
