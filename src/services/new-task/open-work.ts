/** Says which files the open attempts of a repository change, so that a new task can be told of them. */
import type { Repository } from "../../domain/repository/repository.ts";
import { openAttemptsOf } from "../../storage/queries/repository-attempts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { TaskPreview } from "../core/screen-shapes.ts";
import type { ListTouched } from "../decisions/touched-files.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The newest attempts, and the files of each that are named. */
const MAX_ATTEMPTS = 30;
const MAX_FILES = 300;

/** One whose objects are gone, or that has changed nothing yet, is left out. */
export async function openWork(
  context: Uses<"db" | "git">,
  repository: Repository,
  listTouched: ListTouched,
): Promise<TaskPreview["changing"]> {
  const target = repositoryTarget(repository);
  const open = await openAttemptsOf(context.db.reader, repository.id, { limit: MAX_ATTEMPTS });
  const listed = await Promise.all(
    open.map(async ({ attempt: { id, taskId, patch }, title }) => {
      const touched = patch === null ? null : await listTouched(context.git, target, patch);
      const paths = touched === null || touched.isErr() ? [] : [...touched.value.results.keys()];
      return { attempt: id, task: taskId, title, paths: paths.slice(0, MAX_FILES), files: paths.length };
    }),
  );
  return listed.filter(({ files }) => files > 0);
}
