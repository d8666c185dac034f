/** Takes a repository out of Tazuna's list; deletes nothing, and `repo add` brings it back. */
import { err, ok, type Result } from "neverthrow";
import { isEnded } from "../../domain/run/state.ts";
import { someOf } from "../../domain/text/listed.ts";
import { attemptsOfRepository } from "../../storage/queries/repository-attempts.ts";
import { markRepository } from "../../storage/tables/repositories.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { RemovedRepository } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { entriesInTrash } from "../trash/trash-entries.ts";
import { namedHere } from "./named-repository.ts";
import { repositoryChanged } from "./repository-changed.ts";

/** Takes its id, a unique prefix of it, or its name. Refused while an attempt on it is not put away. */
export async function removeRepository(
  context: NoteContext & Uses<"db" | "owner" | "paths" | "newFacts">,
  named: string,
): Promise<Result<RemovedRepository, Refusal>> {
  const meant = await namedHere(context, named);
  if (meant.isErr()) return err(meant.error);
  const repository = meant.value;
  const removed = await transact(context.db, async (trx): Promise<Result<Counted, Refusal>> => {
    const attempts = await attemptsOfRepository(trx, repository.id);
    const kept = attempts.filter(({ state }) => state !== "removed");
    let working = false;
    for (const { id } of kept)
      working ||= (await runsOfAttempt(trx, id)).some(({ status }) => !isEnded(status));
    if (kept.length > 0) return err(inUse(repository.path, { ids: kept.map(({ id }) => id), working }));
    const at = context.clock.iso();
    await markRepository(trx, { id: repository.id, removedAt: at });
    const { id, name } = repository;
    await noteTeamAct(context, trx, { kind: "repository_removed", id, name });
    await repositoryChanged(trx, { id, at, state: "removed" });
    const tasks = new Set(attempts.map(({ taskId }) => taskId)).size;
    return ok({ tasks, attempts: new Set(attempts.map(({ id }) => id)) });
  });
  if (removed.isErr()) return err(removed.error);
  const { tasks, attempts } = removed.value;
  const trashed = (await entriesInTrash(context)).filter(({ attemptId }) => attempts.has(attemptId)).length;
  context.newFacts.notify();
  return ok({ repository, tasks, trashed });
}

interface Counted {
  readonly tasks: number;
  readonly attempts: ReadonlySet<string>;
}

function inUse(
  path: string,
  attempts: { readonly ids: readonly string[]; readonly working: boolean },
): Refusal {
  const ids = attempts.ids.map((id) => id.slice(0, 8));
  const what = ids.length === 1 ? `An attempt on ${path} is` : `${ids.length} attempts on ${path} are`;
  const work = attempts.working ? " A run goes on." : "";
  return refuse("conflict", "repository_in_use", `${what} not put away: ${someOf(ids, MAX_NAMED)}.${work}`, {
    remedy: `\`tazuna cancel ${ids[0]}\` puts one into the trash, after a snapshot; \`tazuna clean\` says which are finished. Then ask again.`,
    details: { attempts: attempts.ids },
  });
}

const MAX_NAMED = 10;
