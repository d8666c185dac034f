/** Handles the endpoints of the form of a new task. */
import type { DRAFT_ENDPOINTS, TaskDraft } from "../../contract/endpoints/drafts.ts";
import { type Handlers, shown } from "./handler.ts";
import { asked } from "./task-handlers.ts";

export const draftHandlers: Handlers<typeof DRAFT_ENDPOINTS> = {
  taskDraft: ({ services }) => shown(services.taskDraft(), showDraft),
  keepTaskDraft: ({ services, request }) => shown(services.keepTaskDraft(request.draft), showDraft),
  previewTask: ({ services, request }) => services.previewTask(asked(request)),
};

function showDraft(draft: { readonly content: unknown; readonly updatedAt: string } | null) {
  return { draft: (draft?.content ?? null) as TaskDraft | null, updated_at: draft?.updatedAt ?? null };
}
