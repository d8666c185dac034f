/** Reads where repositories of this worker are fetched from: by that address they are the same ones elsewhere (ADR 0090). */
import { readCloneAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { listRemotes } from "../../git/remote/remote.ts";
import { listRepositories, noteAddress } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { repositoryChanged } from "./repository-changed.ts";

type AddressContext = Uses<"db" | "git" | "clock" | "newFacts">;

/** The repository with the address that it has now. If git cannot be asked, the known one stays. */
export async function withAddress(context: AddressContext, repository: Repository): Promise<Repository> {
  const remotes = await listRemotes(context.git, { gitDir: repository.commonDir, workTree: null });
  if (remotes.isErr()) return repository;
  const origin = remotes.value.find(({ name }) => name === "origin");
  const read = origin && readCloneAddress(origin.fetchUrl).map(({ url }) => url);
  const address = read?.unwrapOr(null) ?? null;
  if (address === repository.address) return repository;
  const { id } = repository;
  const isNews = await transact(context.db, async (trx) => {
    const changed = await noteAddress(trx, { id, address });
    if (changed) await repositoryChanged(trx, { id, at: context.clock.iso(), state: "addressed" });
    return changed;
  });
  if (isNews) context.newFacts.notify();
  return { ...repository, address };
}

/** Of all repositories of this worker, one after another: a person may have changed what git is configured to. */
export async function readAddresses(
  context: AddressContext & Uses<"owner" | "engineStop" | "reportFault">,
): Promise<void> {
  for (const repository of await listRepositories(context.db.reader, ownWorker(context))) {
    if (context.engineStop.aborted) return;
    await withAddress(context, repository).catch((error: unknown) =>
      context.reportFault(`the address of ${repository.path}`, error),
    );
  }
}
