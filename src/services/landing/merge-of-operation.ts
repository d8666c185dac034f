/** Tells by the journal what a merge or a patch came to, also if a kill came before its record. */
import { z } from "zod";
import type { Operation } from "../../domain/operation.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { mergeOf, mergeRecord, noteMerged } from "../attempts/note-merged.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { settleApplied, settleFastForward } from "./settle-checkout.ts";

/** What the merge came to, if the target holds it; else null. Throws if git cannot say. */
export async function mergeCameTo(
  context: Uses<"db" | "git">,
  operation: Operation,
): Promise<Operation["after"]> {
  const { ref, branch, sha, to, checkout } = mergeRecord.parse(operation.before);
  const place = await findPlace(context.db.reader, operation.subject.id);
  if (place === null) return null;
  if (checkout !== null) await settleFastForward(context, checkout, { branch, from: sha, to });
  const target = repositoryTarget(place.repository);
  const held = await isAncestor(context.git, target, { ancestor: to, descendant: ref });
  if (held.isErr()) throw new Error(held.error.message);
  return held.value ? { ref, branch, sha: to } : null;
}

/** In the transaction that ends its entry. */
export async function noteMergeFound(trx: WriteTransaction, operation: Operation, at: string): Promise<void> {
  const attempt = await getAttempt(trx, operation.subject.id);
  if (attempt !== null) await noteMerged(trx, attempt, { at, merged: mergeOf(operation, at) });
}

const applied = z.object({ path: z.string(), gitDir: z.string(), sha: z.string(), tree: z.string() });

/** The same for a patch in the user's checkout. Throws if it is neither whole nor taken back. */
export async function applyCameTo(context: Uses<"git">, { before }: Operation): Promise<Operation["after"]> {
  const { path, gitDir, sha, tree } = applied.parse(before);
  if (!(await isThere(gitDir))) return null;
  return (await settleApplied(context, { path, gitDir }, { from: sha, to: tree })) ? { path } : null;
}
