/** Finds the base that a new task would have, as the last fetch left it. Asks no remote. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isNamedByUs } from "../../domain/repository/branch-names.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { resolveBase } from "../../git/remote/resolve-base.ts";
import { newestOf } from "../../storage/queries/find-operations.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import type { TaskPreview } from "../core/screen-shapes.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { sayBaseProblem } from "../runs/prepare/base-failed.ts";
import { startedFrom } from "../runs/prepare/from-checkout.ts";

type Base = Pick<TaskPreview, "base" | "base_problem">;

export async function previewBase(
  context: Uses<"db" | "git">,
  asked: {
    readonly repository: Repository;
    readonly configuration: LoadedConfiguration;
    readonly base: string | null;
    readonly fromWorktree: boolean;
  },
): Promise<Base> {
  const { repository, configuration, fromWorktree } = asked;
  const none = (base_problem: string): Base => ({ base: null, base_problem });
  const checkout = await findCheckout(repository);
  if (checkout.isErr()) return none(checkout.error);
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return none(remotes.error.message);
  const target = { gitDir: checkout.value.gitDir, workTree: null };
  const found = await resolveBase(context.git, target, {
    remote: fromWorktree ? null : (remotes.value?.fetch ?? null),
    branch: fromWorktree ? "HEAD" : (asked.base ?? configuration.values.base),
    online: false,
    isOurs: (name) => isNamedByUs(name, configuration.values.branch),
  });
  if (found.isErr()) return none(sayBaseProblem(found.error));
  const { name, ahead, behind } = await startedFrom(context, {
    base: found.value,
    checkout: checkout.value,
    fromWorktree,
  });
  const isCompared = ahead !== null && behind !== null;
  return {
    base: {
      name,
      sha: found.value.sha,
      fetched_at: await lastFetch(context, repository),
      checkout: isCompared ? { ahead, behind } : null,
    },
    base_problem: null,
  };
}

/** When it was fetched last, by Tazuna or by the person's git, UTC ISO; null if neither is known. */
export async function lastFetch(
  { db }: Uses<"db">,
  { id, commonDir }: Pick<Repository, "id" | "commonDir">,
): Promise<string | null> {
  // Git writes this file at each fetch of a person. Tazuna's own leave it alone.
  const file = await stat(join(commonDir, "FETCH_HEAD")).catch(() => null);
  const ours = id === "" ? null : await newestOf(db.reader, { kind: "fetch", subject: id, status: "done" });
  const times = [file?.mtime.toISOString(), ours?.endedAt].filter((at) => typeof at === "string");
  return times.sort().at(-1) ?? null;
}
