/** Follows a repository that its owner moved: its record, its attempts' git directories, and the links of their worktrees. */
import { access } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { type DiscoveredRepository, discoverRepository } from "../../git/discover.ts";
import { readRef } from "../../git/refs.ts";
import { repairWorktrees } from "../../git/worktree-prune.ts";
import { updateAttempt } from "../../storage/attempts.ts";
import {
  absorbRepository,
  listRepositories,
  repositoryByPath,
  moveRepository as storeMove,
} from "../../storage/repositories.ts";
import { attemptsOfRepository } from "../../storage/repository-attempts.ts";
import { transact } from "../../storage/transact.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { notFound, refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { discoverRefusal } from "./register-repository.ts";

/**
 * `id` may be cut to a unique prefix. Refused where another repository lies at `path`; where this very one was
 * registered there anew, both become one.
 */
export async function moveRepository(
  context: ServiceContext,
  id: string,
  path: string,
): Promise<Result<Repository, Refusal>> {
  const meant = repositoryMeant(await listRepositories(context.db.reader), id);
  if (meant.isErr()) return err(meant.error);
  const known = meant.value;
  const found = await discoverRepository(context.git, path);
  if (found.isErr()) return err(discoverRefusal(found.error, path));
  const attempts = await attemptsOfRepository(context.db.reader, known.id);
  const refusal = await refuseOther(context, { known, found: found.value, attempts });
  if (refusal !== null) return err(refusal);
  const { commonDir } = found.value;
  const moved: Repository = { ...known, path: found.value.path, commonDir, name: basename(found.value.path) };
  const homes = attempts.flatMap((attempt) => movedGitDir(attempt, { from: known.commonDir, to: commonDir }));
  await transact(context.db, async (trx) => {
    const there = await repositoryByPath(trx, moved.path);
    if (there !== null && there.id !== known.id)
      await absorbRepository(trx, { id: there.id, into: known.id });
    await storeMove(trx, moved);
    for (const home of homes) await updateAttempt(trx, { id: home.attempt.id, set: { gitDir: home.gitDir } });
  });
  return relink(
    await heldToLimitOf(context, { repository: moved, settings: {} }),
    moved,
    homes.map(({ attempt }) => attempt),
  );
}

/** A whole id wins over longer ones that begin with it. */
function repositoryMeant(all: readonly Repository[], id: string): Result<Repository, Refusal> {
  const whole = all.filter((one) => one.id === id);
  const candidates = whole.length > 0 ? whole : all.filter((one) => one.id.startsWith(id));
  const [known, ...others] = candidates;
  if (known === undefined) return err(notFound("repository", id));
  if (others.length === 0) return ok(known);
  const named = candidates.map((one) => `${one.id} (${one.path})`).join(", ");
  return err(
    refuse("bad_request", "ambiguous_id", `"${id}" is the beginning of several ids: ${named}.`, {
      remedy: "Give more characters of it.",
      details: { candidates: candidates.map((one) => ({ type: "repository", id: one.id })) },
    }),
  );
}

/** The same repository holds the commits that its attempts began at. */
async function refuseOther(
  context: ServiceContext,
  of: {
    readonly known: Repository;
    readonly found: DiscoveredRepository;
    readonly attempts: readonly Attempt[];
  },
): Promise<Refusal | null> {
  const { known, found, attempts } = of;
  const there = await repositoryByPath(context.db.reader, found.path);
  if (there !== null && there.id !== known.id && (await exists(known.commonDir)))
    return refuse("conflict", "repository_known", `${found.path} is registered already.`, {
      remedy: "`tazuna repo list` shows what is registered.",
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
          remedy: "Name the folder that the repository was moved to.",
        },
      );
  }
  return null;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
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
  context: ServiceContext,
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
  return err(
    refuse("failed", "git_failed", repaired.error.message, {
      remedy: "Run `git worktree repair` in the repository, then ask again.",
    }),
  );
}
