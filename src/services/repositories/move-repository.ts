/** Follows a repository that its owner moved: updates its record, its attempts and the links of their worktrees. */
import { basename, join, relative } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRef } from "../../git/refs/refs.ts";
import { type DiscoveredRepository, discoverRepository } from "../../git/repository/discover.ts";
import { repairWorktrees } from "../../git/worktree/worktree-prune.ts";
import { attemptsOfRepository } from "../../storage/queries/repository-attempts.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import {
  absorbRepository,
  repositoryByPath,
  moveRepository as storeMove,
} from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { noteTeamAct } from "../access/team-acts.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { namedHere } from "./named-repository.ts";
import { discoverRefusal } from "./register-repository.ts";
import { repositoryChanged } from "./repository-changed.ts";

/**
 * `id` may be cut to a unique prefix, or be the name. Refused if another repository lies at `path`. If this same
 * repository was registered there anew, both records become one.
 */
export async function moveRepository(
  context: GitContext & Uses<"locks" | "configuration">,
  id: string,
  path: string,
): Promise<Result<Repository, Refusal>> {
  const meant = await namedHere(context, id);
  if (meant.isErr()) return err(meant.error);
  const known = meant.value;
  if (known.url !== null) return err(notMoved(known));
  const found = await discoverRepository(context.git, path);
  if (found.isErr()) return err(discoverRefusal(found.error, path));
  const attempts = await attemptsOfRepository(context.db.reader, known.id);
  const refusal = await refuseOther(context, { known, found: found.value, attempts });
  if (refusal !== null) return err(refusal);
  const { commonDir } = found.value;
  const moved: Repository = { ...known, path: found.value.path, commonDir, name: basename(found.value.path) };
  const homes = attempts.flatMap((attempt) => movedGitDir(attempt, { from: known.commonDir, to: commonDir }));
  await transact(context.db, async (trx) => {
    const registered = await repositoryByPath(trx, moved.path, ownWorker(context));
    if (registered !== null && registered.id !== known.id)
      await absorbRepository(trx, { id: registered.id, into: known.id });
    await storeMove(trx, moved);
    await noteTeamAct(context, trx, { kind: "repository_moved", id: moved.id, name: moved.name });
    await repositoryChanged(trx, { id: moved.id, at: context.clock.iso(), state: "moved" });
    for (const home of homes) await updateAttempt(trx, { id: home.attempt.id, set: { gitDir: home.gitDir } });
  });
  context.newFacts.notify();
  return relink(
    await loadRepositoryGit(context, { repository: moved }),
    moved,
    homes.map(({ attempt }) => attempt),
  );
}

function notMoved({ path, url }: Repository): Refusal {
  return refuse(
    "conflict",
    "clone_not_moved",
    `${path} is a clone that Tazuna made, and keeps in its data folder.`,
    {
      remedy: `Leave it there. For a clone of your own at another place: \`git clone ${shellWord(url ?? "")}\`, then \`tazuna repo add .\` in it.`,
      details: { path, url },
    },
  );
}

/** Refuses another repository: the right one holds the commits that its attempts began at. */
async function refuseOther(
  context: Uses<"db" | "git" | "owner">,
  move: {
    readonly known: Repository;
    readonly found: DiscoveredRepository;
    readonly attempts: readonly Attempt[];
  },
): Promise<Refusal | null> {
  const { known, found, attempts } = move;
  const registered = await repositoryByPath(context.db.reader, found.path, ownWorker(context));
  if (registered !== null && registered.id !== known.id && (await isThere(known.commonDir)))
    return refuse("conflict", "repository_known", `${found.path} is registered already.`, {
      remedy: `Leave both as they are: ${known.path} is still there. \`tazuna repo list\` shows what is registered.`,
    });
  for (const { base } of attempts) {
    if (base.sha === null) continue;
    const sha = await readRef(context.git, { gitDir: found.gitDir, workTree: null }, `${base.sha}^{commit}`);
    if (sha.isErr() || sha.value === null)
      return refuse(
        "conflict",
        "another_repository",
        `${found.path} is another repository: it lacks the commit ${base.sha.slice(0, 8)}.`,
        {
          remedy: `Go to the folder that ${known.path} was moved to, then type \`tazuna repo move ${shortId(known.id)} .\` there.`,
        },
      );
  }
  return null;
}

function movedGitDir(
  attempt: Attempt,
  dirs: { readonly from: string; readonly to: string },
): { attempt: Attempt; gitDir: string }[] {
  if (attempt.gitDir === null || attempt.state === "removed") return [];
  const within = relative(dirs.from, attempt.gitDir);
  return within.startsWith("..") ? [] : [{ attempt, gitDir: join(dirs.to, within) }];
}

/** `git worktree repair`: the worktrees find their repository again. */
async function relink(
  context: GitContext & Uses<"locks">,
  repository: Repository,
  attempts: readonly Attempt[],
): Promise<Result<Repository, Refusal>> {
  if (attempts.length === 0) return ok(repository);
  const paths = attempts.map((attempt) => attempt.worktree);
  const repaired = await context.locks.shared(repository.commonDir, () =>
    journaled(
      context,
      { kind: "worktree_repair", subject: { type: "repository", id: repository.id }, before: { paths } },
      () => repairWorktrees(context.git, repositoryTarget(repository), paths),
      () => ({ paths }),
    ),
  );
  if (repaired.isOk()) return ok(repository);
  return refused("failed", "git_failed", repaired.error.message, {
    remedy: "Run `git worktree repair` in the repository, then ask again.",
  });
}
