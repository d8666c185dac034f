/** Tells a clean-up from a cancel, and whether the branch that it leaves is the only way to its commits. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { heldElsewhere } from "../../git/held-elsewhere.ts";
import { branchesOfRepositories } from "../../storage/attempt-branches.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "./targets.ts";

/** Whether its latest end was a clean-up: that is written down at the very time of the end. */
export async function wasCleaned(context: ServiceContext, attempt: Attempt): Promise<boolean> {
  const cleaned = (await operationsOfKinds(context.db.reader, ["clean"], attempt.id)).at(-1);
  return cleaned !== undefined && cleaned.at === attempt.endedAt;
}

/** Where git cannot say, it is not. */
export async function isHeldElsewhere(
  context: ServiceContext,
  of: { readonly repository: Repository; readonly tip: string },
): Promise<boolean> {
  const { repository, tip } = of;
  const except = await branchesOfRepositories(context.db.reader, [repository.id]);
  const held = await heldElsewhere(context.git, repositoryTarget(repository), { commits: [tip], except });
  return held.isOk() && held.value.has(tip);
}
