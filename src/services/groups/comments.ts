/** Joins what people say about a patch. */
import { err } from "neverthrow";
import { addComment, changeComment, removeComment } from "../comments/draft-comments.ts";
import { listComments, showComment } from "../comments/list-comments.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import type { ServiceMemory } from "./memory.ts";
import { createdOnce } from "./task-answers.ts";

export function commentServices(context: ServiceContext, { addressed: known }: ServiceMemory) {
  const show = (id: string) => showComment(context, id, known);
  return {
    comments: (attemptId) => listComments(context, attemptId, known),
    addComment: async (input, once = null) => {
      const id = await createdOnce(context, once, (key) => addComment(context, input, key));
      return id.isErr() ? err(id.error) : show(id.value);
    },
    changeComment: async (change) => {
      const changed = await changeComment(context, change);
      return changed.isErr() ? err(changed.error) : show(change.id);
    },
    removeComment: async (id) =>
      (await removeComment(context, id)).map((comment) => ({
        ...comment,
        outdated: false,
        addressedIn: null,
      })),
  } satisfies Partial<Services>;
}
