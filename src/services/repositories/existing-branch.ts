/** Decides whether an attempt may work on a branch that exists already. */

import type { Repository } from "../../domain/repository/repository.ts";
import { nearestWord } from "../../domain/text/nearest.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { branchOf, listRefs, readRef } from "../../git/refs/refs.ts";
import { remoteHead } from "../../git/remote/ls-remote.ts";
import { listWorktrees } from "../../git/worktree/worktree-list.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { remotesOf } from "./choose-remote.ts";

interface Named {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  readonly branch: string;
  /** Whether the remote may not be asked. */
  readonly offline: boolean;
}

/**
 * Null if it may. Refuses a branch that is neither here nor on the remote. Also refuses one that is checked out, and
 * names the place.
 */
export async function existingBranchRefusal(context: Uses<"git">, named: Named): Promise<Refusal | null> {
  const { repository, branch } = named;
  const target = { gitDir: repository.commonDir, workTree: null };
  const sha = await readRef(context.git, target, `refs/heads/${branch}^{commit}`);
  const worktrees = await listWorktrees(context.git, target);
  if (sha.isErr() || worktrees.isErr())
    return refuse("failed", "git_failed", "The branches of the repository could not be read.", {
      remedy: `\`git -C ${shellWord(repository.path)} status\` says what is wrong; mend that, then ask again.`,
    });
  if (sha.value === null) {
    const place = await remotePlace(context, named);
    if (place === "there") return null;
    return missing(context, named, { place, taken: worktrees.value.map((worktree) => worktree.branch) });
  }
  const holder = worktrees.value.find((worktree) => worktree.branch === branch);
  if (holder === undefined) return null;
  const message = `The branch "${branch}" is checked out in ${holder.path}.`;
  return refuse("conflict", "branch_checked_out", message, {
    remedy: `Give \`--base ${shellWord(branch)}\` in place of \`--branch ${shellWord(branch)}\`: a branch of its own begins there. Or check out another branch there.`,
    details: { branch, path: holder.path },
  });
}

interface Missing {
  readonly place: "absent" | "unanswered";
  /** Branches that are checked out. */
  readonly taken: readonly (string | null)[];
}

async function missing(context: Uses<"git">, named: Named, { place, taken }: Missing): Promise<Refusal> {
  const { branch, repository } = named;
  const remote = (await remoteOf(context, named))?.name;
  // `origin/x` is git's name for the branch x of origin.
  const short = branch.startsWith(`${remote}/`) ? branch.slice(`${remote}/`.length) : null;
  const isThere = short !== null && (await remotePlace(context, { ...named, branch: short })) === "there";
  const ask = `git -C ${shellWord(repository.path)} ls-remote ${shellWord(remote ?? "")}`;
  const what = place === "absent" ? "" : ` here, and ${remote} did not answer`;
  return refuse("bad_request", "branch_missing", `There is no branch "${branch}"${what}.`, {
    remedy: isThere
      ? `Name it without the remote: \`--branch ${shellWord(short)}\`.`
      : place === "absent"
        ? await howToName(context, named, taken)
        : `Ask again once \`${ask}\` answers, or name a branch that is here.`,
    details: { branch },
  });
}

/** Suggests the nearest local branch, if a person probably meant it. */
async function howToName(
  context: Uses<"git">,
  { repository, branch }: Named,
  taken: readonly (string | null)[],
): Promise<string> {
  const target = { gitDir: repository.commonDir, workTree: null };
  const here = (await listRefs(context.git, target, { prefixes: ["refs/heads/"] })).unwrapOr([]);
  const names = here.flatMap(({ name }) => branchOf(name) ?? []);
  const near = nearestWord(
    branch,
    names.filter((name) => !taken.includes(name)),
  );
  const other = `leave out \`--branch ${shellWord(branch)}\`: a new branch is made`;
  return near === null
    ? `Name one that is here or on the remote, or ${other}.`
    : `Did you mean \`--branch ${shellWord(near)}\`? Or ${other}.`;
}

const ASK_MS = 15_000;

async function remoteOf(context: Uses<"git">, { repository, configuration }: Named) {
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  return remotes.unwrapOr(null)?.push ?? null;
}

/** Uses the answer of the remote; offline, the last fetch. */
async function remotePlace(context: Uses<"git">, named: Named): Promise<"there" | "absent" | "unanswered"> {
  const { repository, branch, offline } = named;
  const target = { gitDir: repository.commonDir, workTree: null };
  const remote = await remoteOf(context, named);
  if (remote === null) return "absent";
  const there = offline
    ? await readRef(context.git, target, `refs/remotes/${remote.name}/${branch}^{commit}`)
    : await remoteHead(context.git, target, { remote: remote.name, branch, timeoutMs: ASK_MS });
  if (there.isErr()) return "unanswered";
  return there.value === null ? "absent" : "there";
}
