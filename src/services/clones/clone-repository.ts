/** Clones a repository from an address into the data folder, once for each address (seed 003 Folders). */
import { mkdir, realpath, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { type CloneAddress, keyOfAddress, readCloneAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { diskFloor } from "../../domain/run/scheduling.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { type CloneError, cloneRepository } from "../../git/repository/clone.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import {
  insertRepository,
  markRepository,
  moveRepository,
  repositoriesFromUrl,
} from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import type { Refusal } from "../core/refusal.ts";
import { cloneRefusal, inTheWay, mendedOn, noRoom, refusedAddress } from "../repositories/clone-refusal.ts";
import { listAgain, repositoryChanged } from "../repositories/repository-changed.ts";
import { bringSettings } from "../repositories/settings-of-clone.ts";
import { cloneTold } from "./clone-told.ts";
import { bringRefsBack } from "./put-away-before.ts";

export type CloneContext = GitContext & Uses<"paths" | "locks" | "configuration" | "team" | "shell">;

/** What the processes of a clone carry in their environment, with the folder that they write. */
export const CLONE_MARKER = "TAZUNA_CLONE";

/**
 * The repository that was cloned from this address before, or a new clone of it. `signal` ends the clone. One at a time
 * for each address: who asks meanwhile waits, and gets the same.
 */
export async function cloneFromUrl(
  context: CloneContext,
  text: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result<Repository, Refusal>> {
  const address = readCloneAddress(text);
  if (address.isErr()) return err(refusedAddress(address.error));
  const again = `tazuna repo add ${shellWord(address.value.url)}`;
  return context.locks.shared(`clone:${address.value.key}`, async () => {
    const before = await clonedBefore(context, address.value);
    if (before !== null && (await findCheckout(before)).isOk()) return ok(await listedAgain(context, before));
    const { url } = address.value;
    const asked = { url, again, what: "cloned", on: await mendedOn(context) } as const;
    const refusal = (error: CloneError) => cloneRefusal(error, asked);
    if (signal.aborted) return err(refusal({ kind: "canceled", command: "git clone", message: "" }));
    if (await isDiskFull(context)) return err(noRoom("There is too little room on the disk", asked));
    await mkdir(context.paths.workspaces, { recursive: true, mode: 0o700 });
    const repository = await repositoryOf(context, address.value, before);
    if (await isThere(repository.path)) return err(inTheWay(repository.path, asked));
    const made = await makeClone(context, { repository, isNew: before === null, signal });
    // What waits elsewhere may begin here from now on.
    if (made.isOk()) await context.team().placeSoon();
    return made.map(() => repository).mapErr(refusal);
  });
}

/** Also one that was taken out of the list, or whose folder is gone: then it is cloned again into its place. */
async function clonedBefore(
  context: Uses<"db" | "owner">,
  address: CloneAddress,
): Promise<Repository | null> {
  const all = await repositoriesFromUrl(context.db.reader, ownWorker(context));
  return all.find(({ url }) => url !== null && keyOfAddress(url) === address.key) ?? null;
}

async function listedAgain(
  context: NoteContext & Uses<"db" | "newFacts" | "team">,
  repository: Repository,
): Promise<Repository> {
  const { id, name } = repository;
  const isNews = await transact(context.db, async (trx) => {
    const isListed = await listAgain(trx, { id, at: context.clock.iso() });
    if (isListed) await noteAdded(context, trx, { id, name });
    return isListed;
  });
  context.newFacts.notify();
  if (isNews) await context.team().placeSoon();
  return repository;
}

/** What a run needs is cloned by Tazuna itself, and nobody did anything to the team. */
async function noteAdded(
  context: NoteContext,
  trx: WriteTransaction,
  { id, name }: Pick<Repository, "id" | "name">,
): Promise<void> {
  if (context.actor !== null) await noteTeamAct(context, trx, { kind: "repository_added", id, name });
}

async function repositoryOf(
  context: Uses<"paths" | "clock" | "newId">,
  { url, name }: CloneAddress,
  before: Repository | null,
): Promise<Repository> {
  const { id, createdAt } = before ?? { id: context.newId(), createdAt: context.clock.iso() };
  const path = join(await realpath(context.paths.workspaces), id);
  return { id, name, path, commonDir: join(path, ".git"), bare: true, url, address: url, createdAt };
}

/** The same floor as for runs. */
export async function isDiskFull({ paths }: Uses<"paths">): Promise<boolean> {
  const { free, total } = await freeSpace(paths.root);
  return free < diskFloor(total);
}

/** It is made beside its place and then moved there, so that what lies there is always whole. */
async function makeClone(
  context: CloneContext,
  clone: { readonly repository: Repository; readonly isNew: boolean; readonly signal: AbortSignal },
): Promise<Result<void, CloneError>> {
  const { repository, isNew } = clone;
  const { id, url, path, name } = repository;
  const aside = join(dirname(path), `half-made-${id}`);
  const limits = (await context.configuration(null)).map(({ values }) => values.limits).unwrapOr(USUAL);
  return journaled(
    context,
    { kind: "clone", subject: { type: "repository", id }, before: { url, name, aside, path } },
    async (): Promise<Result<void, CloneError>> => {
      const cloned = await cloneRepository(context.git, {
        url: url ?? "",
        to: aside,
        timeoutMs: limits.clone_s * 1000,
        silenceMs: limits.git_s * 1000,
        signal: AbortSignal.any([clone.signal, context.engineStop]),
        marker: { name: CLONE_MARKER, value: aside },
        onProgress: cloneTold(context, repository),
      });
      if (cloned.isErr()) return err(cloned.error);
      context.failpoint("clone:whole");
      await rename(aside, path);
      await bringRefsBack(context, repository);
      return bringSettings(context.git, repository);
    },
    () => ({ path }),
    async (trx) => {
      await noteAdded(context, trx, { id, name });
      await repositoryChanged(trx, { id, at: context.clock.iso(), state: "added" });
      if (isNew) return insertRepository(trx, repository, context.owner);
      await moveRepository(trx, repository);
      await markRepository(trx, { id, removedAt: null });
    },
  );
}

const USUAL = { clone_s: 3600, git_s: 120 };
