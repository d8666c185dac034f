/** Finds the files of an attempt that other open attempts of its repository change too. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Known, OverlappingFile } from "../../domain/situation/situation.ts";
import { openAttemptsOf } from "../../storage/queries/repository-attempts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import type { ListTouched } from "../decisions/touched-files.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The newest attempts that are compared, and the files that are listed. */
const MAX_ATTEMPTS = 50;
const MAX_FILES = 500;

export async function lookAtOverlap(
  context: Uses<"db" | "git">,
  { attempt, repository }: AttemptPlace,
  listTouched: ListTouched,
): Promise<Known<readonly OverlappingFile[]>> {
  const target = repositoryTarget(repository);
  const pathsOf = async ({ patch }: Pick<Attempt, "patch">): Promise<ReadonlySet<string> | null> => {
    if (patch === null) return new Set();
    const touched = await listTouched(context.git, target, patch);
    return touched.isErr() ? null : new Set(touched.value.results.keys());
  };
  const own = await pathsOf(attempt);
  if (own === null) return { value: null, why: "Git does not have its changes any more." };
  if (own.size === 0) return { value: [] };
  const others = await openAttemptsOf(context.db.reader, repository.id, { limit: MAX_ATTEMPTS + 1 });
  const found: OverlappingFile[] = [];
  for (const other of others) {
    if (other.attempt.id === attempt.id) continue;
    // One whose objects are gone overlaps with nothing that can be shown.
    const paths = (await pathsOf(other.attempt)) ?? new Set();
    for (const path of own)
      if (paths.has(path) && found.length < MAX_FILES)
        found.push({ path, attempt: other.attempt.id, task: other.attempt.taskId, title: other.title });
  }
  return { value: found };
}
