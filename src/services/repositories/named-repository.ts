/** Finds the known repository that a person names: by its id or a prefix of it, name, or address. */
import { err, ok, type Result } from "neverthrow";
import { keyOfAddress, looksLikeAddress, readCloneAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import type { ServiceContext } from "../core/context.ts";
import { ownWorker, refuseRepositoryElsewhere } from "../core/held-elsewhere.ts";
import { notFound, type Refusal, refused } from "../core/refusal.ts";
import { refusedAddress } from "./clone-refusal.ts";

type NamingContext = Pick<ServiceContext, "db" | "owner">;

/** For an act on its files: what lies on the disk of another worker is refused. */
export async function namedHere(context: NamingContext, text: string): Promise<Result<Repository, Refusal>> {
  const named = await namedAnywhere(context, text);
  if (named.isErr()) return named;
  const elsewhere = await refuseRepositoryElsewhere(context, named.value);
  return elsewhere === null ? named : err(elsewhere);
}

/** For a look: one of this worker wins over those of others, which may have the same name. */
export async function namedAnywhere(
  context: NamingContext,
  text: string,
): Promise<Result<Repository, Refusal>> {
  const { reader } = context.db;
  const here = namedRepository(await listRepositories(reader, ownWorker(context)), text);
  if (here.isOk() || here.error.code !== "not_found") return here;
  return namedRepository(await listRepositories(reader, null), text);
}

/** A whole id wins over a name, and a name over ids that begin with it. */
export function namedRepository(all: readonly Repository[], text: string): Result<Repository, Refusal> {
  const [known, ...others] =
    [
      all.filter(({ id }) => id === text),
      all.filter(({ name }) => name === text),
      all.filter(({ id }) => text !== "" && id.startsWith(text)),
    ].find((fitting) => fitting.length > 0) ?? [];
  if (known === undefined)
    return looksLikeAddress(text) ? clonedFrom(all, text) : err(notFound("repository", text));
  if (others.length === 0) return ok(known);
  const candidates = [known, ...others];
  const named = candidates.map((one) => `${one.id} (${one.path})`).join(", ");
  return refused("bad_request", "ambiguous_id", `"${text}" fits several repositories: ${named}.`, {
    remedy: `Name one of them by its id: ${candidates.map(({ id }) => id).join(" or ")}.`,
    details: { candidates: candidates.map((one) => ({ type: "repository", id: one.id })) },
  });
}

function clonedFrom(all: readonly Repository[], text: string): Result<Repository, Refusal> {
  const address = readCloneAddress(text);
  if (address.isErr()) return err(refusedAddress(address.error));
  const { key, url } = address.value;
  const atKey = (address: string | null) => address !== null && keyOfAddress(address) === key;
  const known = all.find((one) => atKey(one.url)) ?? all.find(({ address: its }) => atKey(its));
  if (known !== undefined) return ok(known);
  return refused("not_found", "not_found", `No repository here comes from ${url}.`, {
    remedy: `\`tazuna repo add ${shellWord(url)}\` clones it; then ask again.`,
    details: { url },
  });
}
