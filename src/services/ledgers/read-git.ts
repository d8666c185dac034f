/** Asks each repository once for its registrations and once for its references, however many attempts it has. */
import { realpath, stat } from "node:fs/promises";
import type { RegistrationFact, RepositoryLedger } from "../../domain/ledgers/ledgers.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { listRefs } from "../../git/refs/refs.ts";
import { withGitTimeout } from "../../git/runner/git-variants.ts";
import { listWorktrees, type RegisteredWorktree } from "../../git/worktree/worktree-list.ts";
import type { Uses } from "../core/context-parts.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** In milliseconds: the start of an engine waits for the answers. */
const GIT_MS = 20_000;
const AT_ONCE = 4;

export async function readGit(
  context: Uses<"git" | "paths">,
  repositories: readonly Repository[],
): Promise<readonly RepositoryLedger[]> {
  const commonDirs = [...new Set(repositories.map(({ commonDir }) => commonDir))];
  const ledgers: RepositoryLedger[] = [];
  for (let at = 0; at < commonDirs.length; at += AT_ONCE)
    ledgers.push(
      ...(await Promise.all(commonDirs.slice(at, at + AT_ONCE).map((dir) => readOne(context, dir)))),
    );
  return ledgers;
}

async function readOne(
  { git: unlimited, paths }: Uses<"git" | "paths">,
  commonDir: string,
): Promise<RepositoryLedger> {
  const nothing = { commonDir, readable: false, registrations: [], refs: [] };
  if ((await stat(commonDir).catch(() => null)) === null) return nothing;
  const git = withGitTimeout(unlimited, GIT_MS);
  const target = repositoryTarget({ commonDir });
  const [worktrees, refs] = await Promise.all([
    listWorktrees(git, target),
    listRefs(git, target, { prefixes: ["refs/heads", "refs/tazuna"] }),
  ]);
  if (worktrees.isErr() || refs.isErr()) return nothing;
  // Git records real paths; the data folder may be reached through a link.
  const real = await realpath(paths.root).catch(() => paths.root);
  const registrations = worktrees.value.map((each, index) =>
    registrationOf(each, { main: index === 0, real, root: paths.root }),
  );
  return { commonDir, readable: true, registrations, refs: refs.value.map(({ name }) => name) };
}

function registrationOf(
  { path, branch, locked }: RegisteredWorktree,
  place: { readonly main: boolean; readonly real: string; readonly root: string },
): RegistrationFact {
  const spelled = path.startsWith(`${place.real}/`) ? place.root + path.slice(place.real.length) : path;
  return { path: spelled, main: place.main, branch, locked: locked !== null };
}
