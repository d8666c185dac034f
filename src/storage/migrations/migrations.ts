/** Lists every migration in order; a released name never changes. */
import type { Migrations } from "../schema/migrator.ts";
import { firstTables } from "./0001-first-tables.ts";
import { createdUnderKey } from "./0002-created-under-key.ts";
import { taskSettings } from "./0003-task-settings.ts";
import { newestFirst } from "./0004-newest-first.ts";
import { leftFilesByContent } from "./0005-left-files-by-content.ts";
import { isolationReason } from "./0006-isolation-reason.ts";
import { cleanUpTrouble } from "./0007-clean-up-trouble.ts";
import { startedFrom } from "./0008-started-from.ts";
import { attemptPatch } from "./0009-attempt-patch.ts";
import { removedRepositories } from "./0010-removed-repositories.ts";

export const MIGRATIONS: Migrations = {
  "0001-first-tables": firstTables,
  "0002-created-under-key": createdUnderKey,
  "0003-task-settings": taskSettings,
  "0004-newest-first": newestFirst,
  "0005-left-files-by-content": leftFilesByContent,
  "0006-isolation-reason": isolationReason,
  "0007-clean-up-trouble": cleanUpTrouble,
  "0008-started-from": startedFrom,
  "0009-attempt-patch": attemptPatch,
  "0010-removed-repositories": removedRepositories,
};
