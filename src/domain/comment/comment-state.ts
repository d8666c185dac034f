/** Decides what a person may do with a comment, and which state it has afterwards. */
import type { Comment } from "./comment.ts";

/** Its words may change as long as they are a person's, and no agent has got them. */
export function isOwnDraft({ authorKind, state }: Pick<Comment, "authorKind" | "state">): boolean {
  return authorKind === "person" && state === "draft";
}

/** A thread that is opened again is what it was before. */
export function stateAfter(
  comment: Pick<Comment, "authorKind" | "state" | "sentWith">,
  resolved: boolean,
): Comment["state"] {
  if (resolved) return "resolved";
  if (comment.state !== "resolved") return comment.state;
  return openState(comment, comment.sentWith);
}

/**
 * What it is if the follow-up that it waits with is taken away: a closed thread stays closed. `sentWith` is the run that
 * got it before; null if none did.
 */
export function stateAfterRemoval(
  comment: Pick<Comment, "authorKind" | "state">,
  sentWith: string | null,
): Comment["state"] {
  return comment.state === "resolved" ? "resolved" : openState(comment, sentWith);
}

/** The state of a comment that is not resolved. */
function openState({ authorKind }: Pick<Comment, "authorKind">, sentWith: string | null): Comment["state"] {
  if (sentWith !== null) return "sent";
  return authorKind === "person" ? "draft" : "open";
}
