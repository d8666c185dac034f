/** Finds the local branch that an attempt is merged into: the one that its base names. */
import { err, ok, type Result } from "neverthrow";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { gitRefusal, type Landing } from "./landing-world.ts";

export interface Target {
  /** Such as `main`. */
  readonly name: string;
  readonly at: string;
  /** The branch as the remote was last seen to have it; null if it has none, or if there is no remote. */
  readonly tracking: { readonly remote: string; readonly name: string; readonly at: string } | null;
}

/** Read anew before each try: people rename, delete and move branches. */
export async function findTarget(
  context: Uses<"git">,
  landing: Pick<Landing, "attempt" | "repository" | "configuration">,
): Promise<Result<Target, Refusal>> {
  const { attempt, repository, configuration } = landing;
  const place = repositoryTarget(repository);
  const name = attempt.base.branch;
  if (name === null || name === "HEAD") return err(noBranch(landing));
  const found = await readRef(context.git, place, `refs/heads/${name}^{commit}`);
  if (found.isErr()) return err(gitRefusal(found.error));
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch.name ?? null;
  const seen =
    remote === null ? null : await readRef(context.git, place, `refs/remotes/${remote}/${name}^{commit}`);
  const at = seen?.unwrapOr(null) ?? null;
  const tracking = remote === null || at === null ? null : { remote, name: `${remote}/${name}`, at };
  if (found.value === null) return err(missing(landing, name, tracking));
  return ok({ name, at: found.value, tracking });
}

function noBranch({ attempt }: Pick<Landing, "attempt">): Refusal {
  return refuse("conflict", "target_missing", "The attempt did not begin from a branch.", {
    remedy: `\`tazuna apply ${shortId(attempt.id)}\` puts its changes into your checkout instead.`,
    details: { attempt: attempt.id, target: null },
  });
}

function missing(
  { attempt, repository }: Pick<Landing, "attempt" | "repository">,
  name: string,
  tracking: Target["tracking"],
): Refusal {
  const from = tracking?.name ?? attempt.base.sha ?? "HEAD";
  return refuse("conflict", "target_missing", `There is no local branch ${name} to merge into.`, {
    remedy: `\`git -C ${shellWord(repository.path)} branch --no-track ${shellWord(name)} ${shellWord(from)}\` makes it; then ask again. If it was renamed, that name stays free: \`tazuna apply ${shortId(attempt.id)}\` puts the changes into your checkout.`,
    details: { attempt: attempt.id, target: name },
  });
}
