/** Looks into a repository for a form: its branches, and the files of a base. Fetches it if a person asks. */
import { err, ok, type Result } from "neverthrow";
import { findFiles } from "../../domain/repository/find-files.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { pathsIn } from "../../git/index/files-of-commit.ts";
import { listBranches } from "../../git/refs/list-branches.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { configurationRefusal, type Refusal, refused } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import type { BranchList, FoundFiles } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { cloneRefusal, mendedOn } from "../repositories/clone-refusal.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { namedHere } from "../repositories/named-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { lastFetch, previewBase } from "./preview-base.ts";

type Looker = Uses<"db" | "git" | "configuration" | "owner">;

const MAX_BRANCHES = 1_000;

/** The newest first; those whose name contains the words of `query`. */
export async function branchesOf(
  context: Looker,
  { id, query }: { readonly id: string; readonly query: string },
): Answer<BranchList> {
  const place = await placeOf(context, id);
  if (place.isErr()) return err(place.error);
  const { git } = withRepositoryGit(context, place.value);
  const target = repositoryTarget(place.value.repository);
  const listed = await listBranches(git, target, { query, limit: MAX_BRANCHES + 1 });
  if (listed.isErr()) return unread(place.value.repository, listed.error.message);
  const items = listed.value.slice(0, MAX_BRANCHES);
  return ok({ items, next: null, truncated: listed.value.length > MAX_BRANCHES });
}

const MAX_PATHS = 200_000;
const MAX_FOUND = 50;
const MAX_KEPT = 4;

/** The paths of the last few commits are kept, since a person types letter after letter. */
export function createFileFinder() {
  const known = new Map<string, readonly string[]>();
  return async (
    context: Looker,
    asked: { readonly id: string; readonly query: string; readonly base: string | null },
  ): Answer<FoundFiles> => {
    const place = await placeOf(context, asked.id);
    if (place.isErr()) return err(place.error);
    const bound = withRepositoryGit(context, place.value);
    const { base } = await previewBase(bound, { ...place.value, base: asked.base, fromWorktree: false });
    if (base === null) return ok({ items: [], next: null, truncated: false });
    const { repository } = place.value;
    const key = `${repository.commonDir}\0${base.sha}`;
    let paths = known.get(key);
    if (paths === undefined) {
      const target = repositoryTarget(repository);
      const listed = await pathsIn(bound.git, target, { commit: base.sha, limit: MAX_PATHS + 1 });
      if (listed.isErr()) return unread(repository, listed.error.message);
      paths = listed.value;
      const [oldest] = known.keys();
      if (known.size >= MAX_KEPT && oldest !== undefined) known.delete(oldest);
      known.set(key, paths);
    }
    const items = findFiles(paths, { query: asked.query, limit: MAX_FOUND }).map((path) => ({ path }));
    return ok({ items, next: null, truncated: paths.length > MAX_PATHS });
  };
}

/** Brings the remote's state, as a new task would. Without a remote there is nothing to bring. */
export async function fetchAsked(
  context: GitContext & Looker & Uses<"locks" | "shell">,
  id: string,
  gone: AbortSignal,
): Answer<{ readonly fetched_at: string | null }> {
  const place = await placeOf(context, id);
  if (place.isErr()) return err(place.error);
  const { repository, configuration } = place.value;
  const bound = withRepositoryGit(context, place.value);
  const remotes = await remotesOf(bound, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return unread(repository, remotes.error.message);
  const remote = remotes.value?.fetch ?? null;
  const fetched = await fetchRepository(bound, repository, { remote, signal: gone });
  if (fetched.isOk()) return ok({ fetched_at: await lastFetch(context, repository) });
  const again = `git -C ${shellWord(repository.path)} fetch ${shellWord(remote?.name ?? "")}`;
  const url = repository.url ?? `the remote ${remote?.name ?? ""} of ${repository.path}`;
  return err(cloneRefusal(fetched.error, { url, again, what: "fetched", on: await mendedOn(context) }));
}

async function placeOf(context: Looker, id: string) {
  const repository = await namedHere(context, id);
  if (repository.isErr()) return err(repository.error);
  const configuration = await context.configuration(repository.value);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  return ok({ repository: repository.value, configuration: configuration.value });
}

function unread({ path }: Repository, message: string): Result<never, Refusal> {
  return refused("failed", "git_failed", message, {
    remedy: `\`git -C ${shellWord(path)} status\` says what is wrong; mend that, then ask again.`,
    details: { path },
  });
}
