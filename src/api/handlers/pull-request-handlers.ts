/** Handles the endpoints of pull requests. */
import { err, ok } from "neverthrow";
import type { PULL_REQUEST_ENDPOINTS } from "../../contract/endpoints/pull-requests.ts";
import { showOpened, showPullRequest, showSummary } from "../../contract/words/tell-pull-request.ts";
import type { PullRequestPreview } from "../../services/core/answer-shapes.ts";
import type { Problem } from "../http/problem-response.ts";
import { type Handlers, pageOf, shown } from "./handler.ts";

export const pullRequestHandlers: Handlers<typeof PULL_REQUEST_ENDPOINTS> = {
  openPullRequest: ({ services, id, request, once }) =>
    shown(services.openPullRequest({ ...request, attempt: id }, once), showOpened),
  previewPullRequest: ({ services, id }) =>
    shown(services.previewPullRequest(id), ({ existing, refusal, typed, ...same }) => ({
      ...same,
      typed: showTyped(typed),
      refusal: refusal && { code: refusal.code, message: refusal.message, remedy: refusal.remedy },
      pull_request: existing && showSummary(existing),
    })),
  pullRequests: ({ services, request }) => shown(services.pullRequests(request), pageOf(showPullRequest)),
  reply: ({ services, id, request, once }) =>
    shown(services.reply({ ...request, id }, once), showPullRequest),
  keepShipDraft: ({ services, id, request }) =>
    shown(services.keepShipDraft({ ...request, attempt: id }), (typed) => ({ typed: showTyped(typed) })),
  forgeWebhook: async ({ services, raw: { body, header } }) => {
    const taken = await services.forgeWebhook({
      body,
      signatures: {
        hub: header("x-hub-signature-256"),
        gitea: header("x-gitea-signature") ?? header("x-forgejo-signature"),
        gitlab: header("x-gitlab-token"),
      },
    });
    if (taken === "off") return err(WEBHOOK_OFF);
    return taken === "refused" ? err(WEBHOOK_REFUSED) : ok({ taken: true });
  },
  pullRequest: ({ services, id }) => shown(services.pullRequest(id), showPullRequest),
};

function showTyped({ message, title, body, draft }: PullRequestPreview["typed"]) {
  return { message: message?.text ?? null, title, body, draft };
}

const WEBHOOK_OFF: Problem = {
  kind: "forbidden",
  code: "webhook_off",
  message: "Webhooks are taken only if a secret is set.",
  remedy:
    "Name the variable that holds it: `tazuna config set forge.webhook_secret_env TAZUNA_WEBHOOK_SECRET`; then start the server with that variable.",
};

const WEBHOOK_REFUSED: Problem = {
  kind: "forbidden",
  code: "webhook_refused",
  message: "The call is not signed with the secret.",
  remedy: "Set the same secret on the forge, and JSON as its content type.",
};
