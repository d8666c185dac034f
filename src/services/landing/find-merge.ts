/** Finds out whether an attempt is merged: by what is stored, by history, by content. */

import type { Merged } from "../../domain/attempt/attempt.ts";
import { mergedAlready } from "../../git/merge/merged-already.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { findTarget, type Target } from "./find-target.ts";
import { type Landing, readLanding } from "./landing-world.ts";

/** Null if nothing proves it, or if git cannot be asked. Nothing is stored. */
export async function findMerge(
  engine: Uses<"db" | "git" | "clock" | "configuration">,
  attemptId: string,
): Promise<Merged | null> {
  const place = await findPlace(engine.db.reader, attemptId);
  if (place === null) return null;
  const context = await loadRepositoryGit(engine, place);
  const landing = await readLanding(context, attemptId, { red: true });
  if (landing.isErr()) return null;
  const known = landing.value.attempt.merged;
  if (known !== null && known.tip === landing.value.tip) return known;
  const target = await findTarget(context, landing.value);
  return target.isErr() ? null : mergedInto(context, landing.value, target.value);
}

/** The target as it is here, or on the remote as far as that was fetched. */
export async function mergedInto(
  context: Uses<"git" | "clock">,
  { attempt, repository, tip, base }: Landing,
  target: Target,
): Promise<Merged | null> {
  const { tracking } = target;
  for (const at of [target.at, ...(tracking === null ? [] : [tracking.at])]) {
    const found = await mergedAlready(context.git, repositoryTarget(repository), { target: at, tip, base });
    // If git cannot say, the merge itself finds out.
    if (found.isErr() || found.value === null) continue;
    const known = attempt.merged;
    if (known?.tip === tip && known.target === target.name) return known;
    return { ...found.value, at: context.clock.iso(), tip, target: target.name, by: "person" };
  }
  return null;
}
