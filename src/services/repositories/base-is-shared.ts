/** Decides whether a task may begin in another clone of the same address: whether its base is the same there (ADR 0090). */
import { isNamedByUs } from "../../domain/repository/branch-names.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { isOnRemote } from "../../git/refs/rev-list.ts";
import { resolveBase } from "../../git/remote/resolve-base.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import { remotesOf } from "./choose-remote.ts";

/**
 * Whether the runs of a new task may begin on another worker, should they wait here. What only the own clone has keeps
 * them, and so does a person's choice of a worker.
 */
export async function mayMove(
  context: Uses<"git" | "db" | "owner">,
  asked: Pick<CreateTask, "worker" | "fromWorktree" | "branch" | "offline" | "base">,
  found: Omit<Wanted, "base">,
): Promise<boolean> {
  if (asked.worker !== null || needsOwnClone(asked)) return false;
  // A worker that joins later may clone it, too.
  if (ownWorker(context) === null || found.repository.address === null) return false;
  return isBaseShared(context, { ...found, base: asked.base });
}

/** Whether a task asks for what only this clone has, whatever its base. */
export function needsOwnClone({
  fromWorktree,
  branch,
  offline,
}: Pick<CreateTask, "fromWorktree" | "branch" | "offline">): boolean {
  return fromWorktree || offline || branch !== null;
}

interface Wanted {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  /** As a person named it; null for the usual one. */
  readonly base: string | null;
}

const WHOLE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * It would if the base is a branch of `origin`, or the whole id of a commit in one. A tag or a branch of this clone may
 * be another one elsewhere. In doubt it would not.
 */
export async function isBaseShared(context: Uses<"git">, wanted: Wanted): Promise<boolean> {
  const { repository, configuration } = wanted;
  const { git } = withRepositoryGit(context, wanted);
  const checkout = await findCheckout(repository);
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch;
  if (checkout.isErr() || remote?.name !== "origin") return false;
  const target = { gitDir: checkout.value.gitDir, workTree: null };
  const { branch: template, base: configured } = configuration.values;
  const base = wanted.base ?? configured;
  const found = await resolveBase(git, target, {
    remote,
    branch: base,
    online: false,
    isOurs: (name) => isNamedByUs(name, template),
  });
  if (found.isErr()) return false;
  const { ref, sha } = found.value;
  if (ref.startsWith(`refs/remotes/${remote.name}/`)) return true;
  if (base === null || !WHOLE_ID.test(base)) return false;
  return (await isOnRemote(git, target, { commit: sha, remote: remote.name })).unwrapOr(false);
}
