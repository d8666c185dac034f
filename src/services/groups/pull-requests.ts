/** Joins what opens, shows and answers pull requests. */
import { err } from "neverthrow";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { findPullRequest, listPullRequests } from "../pull-requests/list-pull-requests.ts";
import { openPullRequest } from "../pull-requests/open-pull-request.ts";
import { previewPullRequest } from "../pull-requests/preview-pull-request.ts";
import { replyOnPullRequest } from "../pull-requests/reply.ts";
import { takeWebhook } from "../pull-requests/take-webhook.ts";
import { findId } from "../queries/task-detail.ts";

export function pullRequestServices(context: ServiceContext) {
  return {
    openPullRequest: async (input, once = null) => {
      const found = await findId(context, input.attempt);
      const request = found.map(({ attemptId }) => ({ ...input, attempt: attemptId ?? "" }));
      return request.isErr()
        ? err(request.error)
        : openPullRequest(context, request.value, once?.key ?? null);
    },
    reply: (input) => replyOnPullRequest(context, input),
    previewPullRequest: (attempt) => previewPullRequest(context, attempt),
    pullRequests: (query) => listPullRequests(context, query),
    pullRequest: (id) => findPullRequest(context, id),
    forgeWebhook: (call) => takeWebhook(context, call),
  } satisfies Partial<Services>;
}
