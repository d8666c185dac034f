/** Changes a setting for a caller of the API, and tells it. */
import { isAbsolute } from "node:path";
import { err, ok } from "neverthrow";
import { appendFact } from "../../storage/tables/facts.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { SettingChange } from "../core/request-shapes.ts";
import type { SettingSet } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import { namedRepository } from "../repositories/named-repository.ts";
import { setConfiguration } from "./set-configuration.ts";

/** The repository by its id, its name or a folder in it. */
export async function changeSetting(
  context: Uses<"db" | "git" | "paths" | "clock" | "newFacts">,
  change: SettingChange,
): Answer<SettingSet> {
  const folder = await folderOf(context, change.repository);
  if (folder.isErr()) return err(folder.error);
  const set = await setConfiguration(context, { ...change, repository: folder.value });
  if (set.isErr()) return err(set.error);
  const ids = { taskId: null, attemptId: null, runId: null };
  const data = { key: change.key, file: set.value.file };
  const at = context.clock.iso();
  await transact(context.db, (trx) => appendFact(trx, { at, kind: "settings.changed", ...ids, data }));
  context.newFacts.notify();
  return set;
}

async function folderOf({ db }: Uses<"db">, repository: string | null) {
  if (repository === null || isAbsolute(repository)) return ok(repository);
  return namedRepository(await listRepositories(db.reader), repository).map(({ path }) => path);
}
