/** Finds the commit at which an attempt's branch was when Tazuna took it away. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { readRef } from "../../git/refs.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import type { TrashedWorktree } from "./trash-entries.ts";

type Unknown = { readonly kind: string; readonly message: string };

/** As the journal has it; where a person deleted the branch, the commit that its snapshot was taken on. */
export async function tipOfBranch(
  context: ServiceContext,
  of: { readonly attempt: Attempt; readonly repository: Repository; readonly entry: TrashedWorktree },
): Promise<Result<string, Unknown>> {
  const { attempt, repository, entry } = of;
  const deletions = await operationsOfKinds(context.db.reader, ["branch_delete"], attempt.id);
  const since = deletions.findLast(({ at }) => at >= entry.deletedAt)?.before?.sha;
  const known = typeof since === "string" ? since : entry.snapshot === null ? null : `${entry.snapshot}^`;
  if (known === null) return err(lost(attempt));
  const tip = await readRef(context.git, repositoryTarget(repository), `${known}^{commit}`);
  if (tip.isErr()) return err(tip.error);
  return tip.value === null ? err(lost(attempt)) : ok(tip.value);
}

function lost(attempt: Attempt): Unknown {
  return {
    kind: "branch_lost",
    message: `the commits of ${attempt.branch} are not in the repository any more`,
  };
}
