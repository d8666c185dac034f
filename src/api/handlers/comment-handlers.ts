/** Handles the endpoints of reviews and comments. */
import { showing } from "../../contract/document-of.ts";
import { type COMMENT_ENDPOINTS, commentFields } from "../../contract/endpoints/comments.ts";
import { showTask } from "../documents/show-task.ts";
import { type Handlers, listOf, shown } from "./handler.ts";

export const commentHandlers: Handlers<typeof COMMENT_ENDPOINTS> = {
  review: ({ services, id, request: { agent, ...same }, once }) => {
    const asked = typeof agent === "string" ? { id: agent, model: null } : agent;
    return shown(services.review({ ...same, attempt: id, agent: asked }, once), showTask);
  },
  addComment: ({ services, id, request: { end_line, ...same }, once }) =>
    shown(services.addComment({ ...same, attempt: id, endLine: end_line }, once), showComment),
  changeComment: ({ services, id, request }) =>
    shown(services.changeComment({ ...request, id }), showComment),
  removeComment: ({ services, id }) => shown(services.removeComment(id), showComment),
  comments: ({ services, id }) => shown(services.comments(id), listOf(showComment)),
};

const showComment = showing(commentFields);
