/** Finds the newest commit of its base that an attempt's branch holds: the attempt's diff begins there. */
import type { Run } from "../../domain/run/run.ts";
import { listRefs } from "../../git/refs/refs.ts";
import { commonCommit, isAncestor } from "../../git/refs/rev-list.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { repositoryTarget } from "../run-core/targets.ts";

interface AttemptHistory extends AttemptInRepository {
  /** Null if it cannot be used: then the base is looked for on this machine alone. */
  readonly configuration: LoadedConfiguration | null;
  readonly runs: readonly Pick<Run, "commit">[];
}

/**
 * `tips` are the tip of the branch and what a merge is about to bring in. Tazuna, a person in the worktree, or a
 * colleague on the remote may merge the base, or rebase onto it. If git cannot be asked, the base stays as it was.
 */
export async function mergedBase(
  context: Uses<"git">,
  history: AttemptHistory,
  tips: readonly string[],
): Promise<string | null> {
  const { sha } = history.attempt.base;
  if (sha === null) return null;
  let base = sha;
  for (const head of await baseHeads(context, history))
    for (const tip of tips) {
      const common = await shared(context, history, { head, tip });
      if (common !== null && (await isNewer(context, history, { common, base, tip }))) base = common;
    }
  return base;
}

/**
 * The merge base of the branch and a head of the base. Null if that commit is the attempt's own work, which the base
 * has merged.
 */
async function shared(
  context: Uses<"git">,
  { attempt, repository, runs }: AttemptHistory,
  { head, tip }: { readonly head: string; readonly tip: string },
): Promise<string | null> {
  const target = repositoryTarget(repository);
  const common = (await commonCommit(context.git, target, { one: tip, other: head })).unwrapOr(null);
  if (common === null || common === attempt.base.sha) return null;
  const isPart = async (descendant: string) =>
    (await isAncestor(context.git, target, { ancestor: common, descendant })).unwrapOr(false);
  if (await isPart(attempt.base.sha ?? "")) return common;
  const commits = new Set(runs.flatMap(({ commit }) => commit ?? []));
  for (const commit of commits) if (await isPart(commit)) return null;
  return common;
}

/**
 * A branch may have left its base, for example by a rebase onto a rewritten one. Then it has the base that it has now.
 */
async function isNewer(
  context: Uses<"git">,
  { repository }: AttemptHistory,
  { common, base, tip }: { readonly common: string; readonly base: string; readonly tip: string },
): Promise<boolean> {
  const target = repositoryTarget(repository);
  const later = await isAncestor(context.git, target, { ancestor: base, descendant: common });
  if (later.unwrapOr(false)) return true;
  const stays = await isAncestor(context.git, target, { ancestor: base, descendant: tip });
  return !stays.unwrapOr(true);
}

/** The base as the remote was last seen, and the local one, if either has moved since. */
async function baseHeads(
  context: Uses<"git">,
  { repository, configuration, attempt }: AttemptHistory,
): Promise<readonly string[]> {
  const { sha, branch } = attempt.base;
  if (branch === null) return [];
  const place = configuration && { commonDir: repository.commonDir, configuration };
  const remotes = place && (await remotesOf(context, place)).unwrapOr(null);
  const names = [
    ...(remotes === null ? [] : [`refs/remotes/${remotes.fetch.name}/${branch}`]),
    `refs/heads/${branch}`,
  ];
  const refs = await listRefs(context.git, repositoryTarget(repository), { prefixes: names });
  const found = refs.unwrapOr([]).filter(({ name }) => names.includes(name));
  return [...new Set(found.map((ref) => ref.sha))].filter((head) => head !== sha);
}
