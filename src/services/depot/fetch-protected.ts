/** Fetches the newest copy that the depot has of an attempt into a clone of this worker. */
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { fetchCopy } from "../../git/depot/fetch-copy.ts";
import { deleteRef, readRef } from "../../git/refs/refs.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { getProtection } from "../../storage/team/protections.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { depotOf } from "./depot-of.ts";

/** A commit whose tree is all of the files, but for ignored ones. */
export interface NewestCopy {
  readonly ref: string;
  readonly commit: string;
  /** By the database's clock. */
  readonly at: string;
}

/** Null if the depot has nothing of the attempt. */
export async function newestCopy(db: Reader, attemptId: string): Promise<NewestCopy | null> {
  const known = await getProtection(db, attemptId);
  if (known === null) return null;
  const { ref, sha: commit, protectedAt: at } = known;
  return ref === null || commit === null || at === null ? null : { ref, commit, at };
}

/** The whole history of a copy may be as large as the repository. */
const FETCH_MS = 30 * 60_000;

/**
 * Calls `use` while a private reference keeps the copy here. The depot may have a newer one by now: it is the one that
 * was asked for.
 */
export async function withCopy<T>(
  context: GitContext & Uses<"ownDepot">,
  {
    copy,
    attempt,
    repository,
  }: { readonly copy: NewestCopy; readonly attempt: string; readonly repository: Repository },
  use: () => Promise<Result<T, string>>,
): Promise<Result<T, string>> {
  const depot = await depotOf(context, repository);
  if (depot === null) return err("there is no depot any more");
  const target = repositoryTarget(repository);
  const to = `refs/tazuna/moved/${attempt}`;
  const fetched = await fetchCopy(context.git, target, {
    ...{ depot, to, from: copy.ref },
    timeoutMs: FETCH_MS,
    signal: context.engineStop,
  });
  if (fetched.isErr()) return err(fetched.error.message);
  const here = await readRef(context.git, target, to);
  const used = here.unwrapOr(null) === copy.commit ? await use() : err("the depot has another copy");
  // What could not be kept elsewhere stays under this reference. The next fetch of the attempt replaces it.
  if (used.isErr()) return err(used.error);
  const left = await deleteRef(context.git, target, { ref: to, from: copy.commit });
  if (left.isErr()) context.reportFault("deleting the reference of a copy", left.error);
  return ok(used.value);
}
