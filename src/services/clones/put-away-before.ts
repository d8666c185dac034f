/** Knows which clones went for room on the disk, and brings their references back (ADR 0104). */
import { z } from "zod";
import type { Repository } from "../../domain/repository/repository.ts";
import { readRef, updateRef } from "../../git/refs/refs.ts";
import { newestOf } from "../../storage/queries/find-operations.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { Uses } from "../core/context-parts.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** Whether Tazuna took the clone away, and nobody made it anew since. False for a folder that a person deleted. */
export async function wasPutAway(
  db: Reader,
  { id, url, commonDir }: Pick<Repository, "id" | "url" | "commonDir">,
): Promise<boolean> {
  if (url === null || (await isThere(commonDir))) return false;
  return wentLast(db, id);
}

/** The same by the journal alone, also for a clone of another worker. */
export async function wentLast(db: Reader, id: string): Promise<boolean> {
  return (await refsBefore(db, id)) !== null;
}

const refsSchema = z.array(z.object({ name: z.string(), sha: z.string() }));

/** Null if it was not put away since it was made. */
async function refsBefore(db: Reader, id: string): Promise<z.infer<typeof refsSchema> | null> {
  const away = await newestOf(db, { kind: "clone_away", subject: id });
  if (away === null) return null;
  const made = await newestOf(db, { kind: "clone", subject: id, status: "done" });
  if (made !== null && made.at > away.at) return null;
  return refsSchema.catch([]).parse(away.before?.refs);
}

/**
 * May be repeated. Nothing that the new clone has is moved. If the remote has lost a commit since, its reference stays
 * away.
 */
export async function bringRefsBack(
  { db, git }: Uses<"db" | "git">,
  repository: Pick<Repository, "id" | "commonDir">,
): Promise<void> {
  const target = repositoryTarget(repository);
  for (const { name, sha } of (await refsBefore(db.reader, repository.id)) ?? []) {
    const now = await readRef(git, target, name);
    const isKnown = await readRef(git, target, `${sha}^{commit}`);
    if (now.isErr() || now.value !== null || isKnown.isErr() || isKnown.value === null) continue;
    await updateRef(git, target, { ref: name, from: null, to: sha, reason: "tazuna: cloned anew" });
  }
}
