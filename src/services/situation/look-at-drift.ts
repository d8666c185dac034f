/** Compares an attempt's branch with its base as it is now, and tries whether they merge. */
import type { Drift, Known } from "../../domain/situation/situation.ts";
import { mergeCommits } from "../../git/merge/merge-commits.ts";
import { readRef } from "../../git/refs/refs.ts";
import { countApart } from "../../git/refs/rev-list.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { repositoryTarget } from "../run-core/targets.ts";

interface Drifting extends AttemptInRepository {
  readonly configuration: LoadedConfiguration;
}

/** Nothing is fetched: the base is as the remote was last seen, else the local branch. */
export async function lookAtDrift(context: Uses<"git">, place: Drifting): Promise<Known<Drift>> {
  const { attempt, repository } = place;
  if (attempt.base.branch === null) return unknown("It did not begin from a branch.");
  const target = repositoryTarget(repository);
  const base = await baseNow(context, place, attempt.base.branch);
  if (base === null) return unknown(`There is no branch ${attempt.base.branch} any more.`);
  const branch = await readRef(context.git, target, `refs/heads/${attempt.branch}^{commit}`);
  const tip = branch.unwrapOr(null);
  if (tip === null) return unknown("Its branch is not there.");
  const apart = await countApart(context.git, target, { mine: tip, theirs: base.sha });
  if (apart.isErr()) return unknown(apart.error.message);
  const merge = apart.value.behind === 0 ? CLEANLY : await tryMerge(context, target, { tip, base: base.sha });
  return { value: { base: base.name, baseSha: base.sha, ...apart.value, ...merge } };
}

function unknown(why: string): { readonly value: null; readonly why: string } {
  return { value: null, why };
}

type Merge = Pick<Drift, "merges" | "files" | "reason">;

const CLEANLY: Merge = { merges: "cleanly", files: [], reason: null };

async function tryMerge(
  { git }: Uses<"git">,
  target: GitTarget,
  { tip, base }: { readonly tip: string; readonly base: string },
): Promise<Merge> {
  const merged = await mergeCommits(git, target, { ours: base, theirs: tip });
  if (merged.isOk()) return CLEANLY;
  const { error } = merged;
  return error.kind === "conflict"
    ? { merges: "conflict", files: error.paths, reason: null }
    : { merges: "unknown", files: [], reason: error.message };
}

async function baseNow(
  context: Uses<"git">,
  { repository, configuration }: Drifting,
  branch: string,
): Promise<{ readonly name: string; readonly sha: string } | null> {
  const target = repositoryTarget(repository);
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch.name ?? null;
  const places = [
    ...(remote === null ? [] : [[`refs/remotes/${remote}/${branch}`, `${remote}/${branch}`] as const]),
    [`refs/heads/${branch}`, branch] as const,
  ];
  for (const [ref, name] of places) {
    const sha = (await readRef(context.git, target, `${ref}^{commit}`)).unwrapOr(null);
    if (sha !== null) return { name, sha };
  }
  return null;
}
