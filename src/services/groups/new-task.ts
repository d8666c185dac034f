/** Joins what the form of a new task asks for. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { createListTouched } from "../decisions/touched-files.ts";
import { previewTask } from "../new-task/preview-task.ts";
import { createReadiness } from "../new-task/readiness.ts";
import { keepTaskDraft, readTaskDraft } from "../new-task/task-draft.ts";
import type { StorageScanner } from "../storage/scan-storage.ts";

export function newTaskServices(context: ServiceContext, scanner: StorageScanner) {
  const seen = { readiness: createReadiness(), listTouched: createListTouched() };
  return {
    taskDraft: () => readTaskDraft(context),
    keepTaskDraft: (content) => keepTaskDraft(context, content),
    previewTask: (input) => previewTask(context, input, { ...seen, worktreeBytes: scanner.bytesOfOne }),
  } satisfies Partial<Services>;
}
