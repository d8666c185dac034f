/** Deletes from a depot what nobody needs any more. Servers alone do it: a worker deletes nothing there (ADR 0092). */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readDepotRef } from "../../domain/depot/depot-ref.ts";
import { needlessRefs } from "../../domain/depot/needless-refs.ts";
import { leftRef, readLeftRef } from "../../domain/worker/left-worktree.ts";
import { collectBare } from "../../git/depot/bare-repository.ts";
import { deleteRef, listRefs } from "../../git/refs/refs.ts";
import { endedLeft } from "../../storage/team/left-worktrees.ts";
import { copiedAttempts } from "../../storage/team/protections.ts";
import type { Uses } from "../core/context-parts.ts";
import { INCOMING } from "./serve-depot.ts";

type CollectContext = Uses<"db" | "git" | "timing" | "reportFault">;

/** What a request left that was cut off by a crash. None takes so long. */
const LEFT_MS = 24 * 3_600_000;

/** Several servers may do it at once: each reference is deleted only if it is what was read. */
export async function collectDepot(context: CollectContext, root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(".git")))
    await collectRepository(context, join(root, name)).catch((error) =>
      context.reportFault(`tidying up ${name} in the depot`, error),
    );
  const incoming = join(root, INCOMING);
  for (const name of await readdir(incoming).catch(() => [])) {
    const { mtimeMs = Date.now() } = (await stat(join(incoming, name)).catch(() => null)) ?? {};
    if (Date.now() - mtimeMs > LEFT_MS) await rm(join(incoming, name), { recursive: true, force: true });
  }
}

async function collectRepository(context: CollectContext, gitDir: string): Promise<void> {
  const { db, git } = context;
  const target = { gitDir, workTree: null };
  const found = await listRefs(git, target, { prefixes: ["refs/tazuna"] });
  if (found.isErr()) throw new Error(found.error.message);
  const shas = new Map(found.value.map(({ name, sha }) => [name, sha]));
  const ids = new Set([...shas.keys()].flatMap((name) => readDepotRef(name)?.attempt ?? []));
  // Read after the references: whoever stores a copy has pushed it before.
  const attempts = await copiedAttempts(db.reader, [...ids]);
  const needless = [...needlessRefs([...shas.keys()], attempts), ...(await endedOffers(context, shas))];
  for (const ref of needless) {
    const deleted = await deleteRef(git, target, { ref, from: shas.get(ref) ?? "" });
    if (deleted.isErr() && deleted.error.kind !== "ref_moved") throw new Error(deleted.error.message);
  }
  const collected = await collectBare(git, gitDir);
  if (collected.isErr()) throw new Error(collected.error.message);
}

/** What a worker that came back had, as long after its offer ended as the trash keeps a worktree. */
async function endedOffers(
  { db, timing }: Uses<"db" | "timing">,
  shas: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const attempts = [...new Set([...shas.keys()].flatMap((name) => readLeftRef(name)?.attemptId ?? []))];
  const ended = await endedLeft(db.reader, { attempts, forMs: timing.trashKeepMs });
  return ended.filter((left) => shas.get(leftRef(left)) === left.sha).map(leftRef);
}
