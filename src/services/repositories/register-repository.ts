/** Finds the repository that a person means, and makes it known where it is new. */
import { basename } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { type DiscoverError, type DiscoveredRepository, discoverRepository } from "../../git/discover.ts";
import { getRepository, insertRepository, repositoryByPath } from "../../storage/repositories.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";

/** The repository with this id, or the one that this path lies in; a new one is registered. */
export async function registerRepository(
  context: ServiceContext,
  idOrPath: string,
): Promise<Result<Repository, Refusal>> {
  const known = await getRepository(context.db.reader, idOrPath);
  if (known !== null) return ok(known);
  const found = await discoverRepository(context.git, idOrPath);
  if (found.isErr()) return err(discoverRefusal(found.error, idOrPath));
  return ok(await insertIfNew(context, found.value));
}

/** The repository that a path lies in, registered or not; null where it lies in none. */
export async function findRepository(
  context: ServiceContext,
  idOrPath: string,
): Promise<Pick<Repository, "path"> | null> {
  const known = await getRepository(context.db.reader, idOrPath);
  if (known !== null) return known;
  return (await discoverRepository(context.git, idOrPath)).unwrapOr(null);
}

async function insertIfNew(context: ServiceContext, found: DiscoveredRepository): Promise<Repository> {
  return transact(context.db, async (trx) => {
    const known = await repositoryByPath(trx, found.path);
    if (known !== null) return known;
    const repository: Repository = {
      id: context.newId(),
      name: basename(found.path),
      path: found.path,
      commonDir: found.commonDir,
      bare: found.bare,
      createdAt: context.clock.iso(),
    };
    await insertRepository(trx, repository);
    return repository;
  });
}

export function discoverRefusal(error: DiscoverError, path: string): Refusal {
  switch (error.kind) {
    case "not_a_repository":
      return refuse("bad_request", "not_a_repository", `${path} is not in a git repository.`, {
        remedy: "Go to a repository, name one with `--repo DIR`, or make one with `git init`.",
        details: { path },
      });
    case "unusable_path":
      return refuse("bad_request", "unusable_path", `${error.message}.`, {
        remedy: "Rename the folder, or clone the repository into another one.",
        details: { path },
      });
    case "unsafe_ownership":
      return refuse("failed", "unsafe_ownership", `The repository ${path} belongs to another user.`, {
        remedy: `If you trust it: git config --global --add safe.directory ${path}`,
        details: { path },
      });
    case "git_missing":
      return refuse("failed", "git_missing", "git was not found.", { remedy: "Install git 2.39 or newer." });
    default:
      return refuse("failed", "git_failed", error.message, {
        remedy: "Read git's message above.",
        details: { path },
      });
  }
}
