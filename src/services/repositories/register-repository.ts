/** Finds the repository that a person means, and registers it if it is new. */
import { basename, isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import type { DiscoverError, DiscoveredRepository } from "../../git/repository/discover.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { insertRepository, repositoryByPath } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { namedHere } from "./named-repository.ts";
import { withAddress } from "./read-address.ts";
import { repositoryAt } from "./repository-at.ts";
import { listAgain, repositoryChanged } from "./repository-changed.ts";

/** The repository with this id or name, or the one that an absolute path lies in. A new one is registered. */
export async function registerRepository(
  context: NoteContext & Uses<"db" | "git" | "paths" | "newFacts" | "owner" | "team">,
  idOrPath: string,
): Promise<Result<Repository, Refusal>> {
  if (!isAbsolute(idOrPath)) return namedHere(context, idOrPath);
  const found = await repositoryAt(context, idOrPath);
  if (found.isErr()) return err(discoverRefusal(found.error, idOrPath));
  const { repository, isNews } = await insertIfNew(context, found.value);
  context.newFacts.notify();
  const known = await withAddress(context, repository);
  // What waits elsewhere may begin here from now on.
  if (isNews) await context.team().placeSoon();
  return ok(known);
}

/** The repository that a path lies in, registered or not; null if it lies in none. */
export async function findRepository(
  context: Uses<"db" | "git" | "paths" | "owner">,
  idOrPath: string,
): Promise<Pick<Repository, "path"> | null> {
  if (!isAbsolute(idOrPath)) return (await namedHere(context, idOrPath)).unwrapOr(null);
  return (await repositoryAt(context, idOrPath)).unwrapOr(null);
}

async function insertIfNew(
  context: NoteContext & Uses<"db" | "owner">,
  found: DiscoveredRepository,
): Promise<{ readonly repository: Repository; readonly isNews: boolean }> {
  const at = context.clock.iso();
  const note = (trx: WriteTransaction, { id, name }: Repository) =>
    noteTeamAct(context, trx, { kind: "repository_added", id, name });
  return transact(context.db, async (trx) => {
    const known = await repositoryByPath(trx, found.path, ownWorker(context));
    if (known !== null) {
      const isNews = await listAgain(trx, { id: known.id, at });
      if (isNews) await note(trx, known);
      return { repository: known, isNews };
    }
    const repository: Repository = {
      id: context.newId(),
      name: basename(found.path),
      path: found.path,
      commonDir: found.commonDir,
      bare: found.bare,
      url: null,
      address: null,
      createdAt: at,
    };
    await insertRepository(trx, repository, context.owner);
    await note(trx, repository);
    await repositoryChanged(trx, { id: repository.id, at, state: "added" });
    return { repository, isNews: true };
  });
}

export function discoverRefusal(error: DiscoverError, path: string): Refusal {
  switch (error.kind) {
    case "not_a_repository":
      return refuse("bad_request", "not_a_repository", `${path} is not in a git repository.`, {
        remedy: `Go to a repository, or name a folder in one (\`--repo\` of \`run\` and \`list\`). Or make one here: \`git init ${shellWord(path)} && git -C ${shellWord(path)} commit --allow-empty -m "First commit"\`.`,
        details: { path },
      });
    case "unusable_path":
      return refuse("bad_request", "unusable_path", `${error.message}.`, {
        remedy: "Rename the folder, then ask again from there.",
        details: { path },
      });
    case "unsafe_ownership":
      return refuse("failed", "unsafe_ownership", `The repository ${path} belongs to another user.`, {
        remedy: `If you trust it: \`git config --global --add safe.directory ${shellWord(path)}\`, then ask again.`,
        details: { path },
      });
    case "git_missing":
      return refuse("failed", "git_missing", "git was not found.", {
        remedy: "Install git 2.39 or newer, so that it is on the PATH, then ask again.",
      });
    default:
      return refuse("failed", "git_failed", error.message, {
        remedy: "Mend what git says, then ask again.",
        details: { path },
      });
  }
}
