/** Joins what the form of a new task asks for. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { previewTask } from "../new-task/preview-task.ts";
import { keepTaskDraft, readTaskDraft } from "../new-task/task-draft.ts";
import type { ServiceMemory } from "./memory.ts";

export function newTaskServices(context: ServiceContext, { previewed, scanner }: ServiceMemory) {
  return {
    taskDraft: () => readTaskDraft(context),
    keepTaskDraft: (content) => keepTaskDraft(context, content),
    previewTask: (input) => previewTask(context, input, { ...previewed, worktreeBytes: scanner.bytesOfOne }),
  } satisfies Partial<Services>;
}
