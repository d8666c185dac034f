/** Takes clones away that nothing needs, if the disk is nearly full; the next use clones them anew (ADR 0104). */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { sentence } from "../../domain/doctor/finding.ts";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import {
  type CloneFacts,
  type CloneNeed,
  longestUnusedFirst,
  whyNeeded,
} from "../../domain/repository/spare-clone.ts";
import { someOf } from "../../domain/text/listed.ts";
import { findOnlyHere, type OnlyHere } from "../../git/remote/only-here.ts";
import { repositoriesFromUrl } from "../../storage/tables/repositories.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { CLONED_AS } from "../repositories/follow-default.ts";
import { repositoryChanged } from "../repositories/repository-changed.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { isDiskFull } from "./clone-repository.ts";
import { type ExaminingContext, examineClone } from "./examine-clone.ts";

type PuttingContext = GitContext & ExaminingContext & Uses<"locks" | "timing" | "keptClones">;

interface Examined extends CloneFacts {
  readonly clone: Repository;
}

/**
 * One after another, the one that was used longest ago first, until there is room. Any doubt keeps a clone. Why the
 * others stay is remembered until there is room.
 */
export async function putAwayClones(context: PuttingContext): Promise<void> {
  const { keptClones, engineStop, locks } = context;
  const needs = new Map<Repository, CloneNeed>();
  for (const { clone } of (await isDiskFull(context)) ? await spareClones(context, needs) : []) {
    if (engineStop.aborted || !(await isDiskFull(context))) break;
    const need = await locks.shared(`clone:${keyOfAddress(clone.url ?? "")}`, () =>
      locks.shared(clone.commonDir, () => putAwayIfSpare(context, clone)),
    );
    if (need !== null) needs.set(clone, need);
  }
  const isFull = await isDiskFull(context);
  keptClones.clear();
  if (!isFull) return;
  for (const [{ id, name, path, url }, need] of needs)
    keptClones.set(id, { ...need, repository: id, name, path, url: url ?? "" });
}

/** Also those that are out of the list. Notes why others are needed. */
async function spareClones(
  context: PuttingContext,
  needs: Map<Repository, CloneNeed>,
): Promise<readonly Examined[]> {
  const spare: Examined[] = [];
  for (const clone of await repositoriesFromUrl(context.db.reader, ownWorker(context))) {
    const facts = await examineClone(context, clone);
    const need = facts && needOf(context, facts);
    if (need !== null) needs.set(clone, need);
    else if (facts !== null) spare.push({ ...facts, clone });
  }
  return longestUnusedFirst(spare);
}

function needOf({ clock, timing }: Uses<"clock" | "timing">, facts: CloneFacts): CloneNeed | null {
  return whyNeeded(facts, { now: clock.now(), unusedMs: timing.cloneUnusedMs });
}

/** Under its locks: a use may have begun since it was examined. Null if it went. */
async function putAwayIfSpare(context: PuttingContext, clone: Repository): Promise<CloneNeed | null> {
  const here = await onlyHere(context, clone);
  if (here.isErr()) return here.error;
  const facts = await examineClone(context, clone);
  const need = facts === null ? GONE : needOf(context, facts);
  if (need !== null) return need;
  const { id, path, url } = clone;
  // One rename puts it aside first: half a clone would look like a whole one.
  const aside = join(context.paths.trash, `purge-${context.newId()}`);
  await mkdir(context.paths.trash, { recursive: true, mode: 0o700 });
  const away = await journaled(
    context,
    {
      kind: "clone_away",
      subject: { type: "repository", id },
      before: { path, url, aside, refs: [...here.value.refs] },
    },
    async (): Promise<Result<void, Error>> => {
      await rename(path, aside);
      context.failpoint("clone_away:aside");
      await removeTree(aside);
      return ok(undefined);
    },
    () => ({ path: null }),
    (trx) => repositoryChanged(trx, { id, at: context.clock.iso(), state: "put_away" }),
  ).catch((error: Error) => err(error));
  if (away.isOk()) return null;
  context.reportFault(`taking the clone ${path} away`, away.error);
  return { why: `It could not be moved away: ${away.error.message}`, remedy: null };
}

const GONE: CloneNeed = { why: "It is not at its place any more.", remedy: null };

async function onlyHere(context: PuttingContext, clone: Repository): Promise<Result<OnlyHere, CloneNeed>> {
  const asked = { remote: CLONED_AS, signal: context.engineStop };
  const found = await findOnlyHere(context.git, repositoryTarget(clone), asked);
  if (found.isErr())
    return err({ why: sentence(`Its remote could not be asked: ${found.error.message}`), remedy: null });
  const { lacking } = found.value;
  if (lacking.length === 0) return ok(found.value);
  return err({
    why: `It holds what its remote lacks: ${someOf(lacking, MAX_NAMED)}.`,
    remedy: "It may go once its remote has that.",
  });
}

const MAX_NAMED = 3;
