/** Handles the endpoints of pull requests. */
import type { PULL_REQUEST_ENDPOINTS } from "../../contract/endpoints/pull-requests.ts";
import { showOpened, showPullRequest } from "../../contract/words/tell-pull-request.ts";
import { type Handlers, pageOf, shown } from "./handler.ts";

export const pullRequestHandlers: Handlers<typeof PULL_REQUEST_ENDPOINTS> = {
  openPullRequest: ({ services, id, request }) =>
    shown(services.openPullRequest({ ...request, attempt: id }), showOpened),
  pullRequests: ({ services, request }) => shown(services.pullRequests(request), pageOf(showPullRequest)),
  pullRequest: ({ services, id }) => shown(services.pullRequest(id), showPullRequest),
};
