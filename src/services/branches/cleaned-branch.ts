/** Tells a clean-up from a cancel, and whether the branch that it leaves is the only way to its commits. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { heldElsewhere } from "../../git/refs/held-elsewhere.ts";
import { branchesOfRepositories } from "../../storage/queries/attempt-branches.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import type { ServiceContext } from "../core/context.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** Whether its latest end was a clean-up. The journal says so at the very time of the end. */
export async function wasCleaned(context: Pick<ServiceContext, "db">, attempt: Attempt): Promise<boolean> {
  const cleaned = (await operationsOfKinds(context.db.reader, ["clean"], attempt.id)).at(-1);
  return cleaned !== undefined && cleaned.at === attempt.endedAt;
}

/** False if git cannot say. */
export async function isHeldElsewhere(
  context: Pick<ServiceContext, "db" | "git">,
  lost: { readonly repository: Repository; readonly tip: string },
): Promise<boolean> {
  const { repository, tip } = lost;
  const except = await branchesOfRepositories(context.db.reader, [repository.id]);
  const held = await heldElsewhere(context.git, repositoryTarget(repository), { commits: [tip], except });
  return held.isOk() && held.value.has(tip);
}
