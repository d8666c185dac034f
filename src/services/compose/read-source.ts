/** Reads what an attempt changed, as its diff shows it, so that parts of it can be taken. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { isEnded } from "../../domain/run/state.ts";
import { diffRecords } from "../../git/index/diff.ts";
import type { DiffRecord } from "../../git/index/diff-records.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { withPatchNow } from "../attempts/attempt-patch.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { notEnded, notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { gitRefusal } from "../landing/landing-world.ts";
import { repositoryTarget } from "../run-core/targets.ts";

interface Source {
  readonly target: GitTarget;
  readonly source: SourceChanges;
}

export interface SourceChanges {
  readonly attempt: Attempt;
  /** The commit from which its diff counts. */
  readonly from: string;
  /** The commit or tree that it came to. */
  readonly to: string;
  readonly records: readonly DiffRecord[];
}

/** It must be at rest. What became of its branch and worktree does not matter, as long as git has its files. */
export async function readSource(
  context: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  task: string,
): Promise<Result<Source, Refusal>> {
  return safeTry(async function* () {
    const place = await findPlace(context.db.reader, attemptId);
    if (place === null) return err(notFound("attempt", attemptId));
    if (place.task.id !== task) return err(anotherTask(place));
    const { repository } = place;
    const target = repositoryTarget(repository);
    const runs = await runsOfAttempt(context.db.reader, attemptId);
    const going = workOf(runs).find(({ status, held }) => !isEnded(status) && !held);
    if (going !== undefined) return err(notEnded(going.id));
    const branch = `refs/heads/${place.attempt.branch}^{commit}`;
    const tip =
      place.attempt.state === "open" ? (await readRef(context.git, target, branch)).unwrapOr(null) : null;
    const attempt = yield* (await withPatchNow(context, { ...place, runs, tip })).mapErr(gitRefusal);
    const { patch } = attempt;
    if (patch === null || patch.files === 0) return err(nothingToTake(attempt));
    for (const side of [patch.from, patch.to]) {
      const there = yield* (await readRef(context.git, target, `${side}^{tree}`)).mapErr(gitRefusal);
      if (there === null) return err(gone(attempt));
    }
    const records = yield* (await diffRecords(context.git, target, patch)).mapErr(gitRefusal);
    return ok({ target, source: { attempt, from: patch.from, to: patch.to, records } });
  });
}

function anotherTask({ attempt, task }: AttemptPlace): Refusal {
  const message = `The attempt ${shortId(attempt.id)} belongs to another task, ${shortId(task.id)}.`;
  return refuse("conflict", "another_task", message, {
    remedy: `Name attempts of one task. \`tazuna show ${shortId(task.id)}\` shows those of that one.`,
    details: { attempt: attempt.id, task: task.id },
  });
}

function nothingToTake({ id }: Attempt): Refusal {
  const message = `The attempt ${shortId(id)} changed nothing: there is nothing to take.`;
  return refuse("conflict", "nothing_to_take", message, {
    remedy: `\`tazuna show ${shortId(id)}\` says what its runs came to.`,
    details: { attempt: id },
  });
}

function gone({ id }: Attempt): Refusal {
  const message = `Git does not have the files of the attempt ${shortId(id)} any more.`;
  return refuse("conflict", "no_tree", message, {
    remedy: `\`tazuna activity ${shortId(id)}\` says what became of it.`,
    details: { attempt: id },
  });
}
