/** Handles the endpoints of the engine itself. */
import { err, ok } from "neverthrow";
import { showing } from "../../contract/document-of.ts";
import { accessTokenFields, type ENGINE_ENDPOINTS } from "../../contract/endpoints/engine.ts";
import { openApiDocument } from "../../contract/endpoints/open-api.ts";
import type { ApiOptions } from "../http/api-options.ts";
import { PROGRAMS_ONLY } from "../http/caller-shell.ts";
import { type BrowserSessions, signInLink } from "../http/sign-in.ts";
import { type Handlers, listOf, shown } from "./handler.ts";

const showToken = showing(accessTokenFields);

export function engineHandlers(
  { engine, version, linkOrigin, tools }: ApiOptions,
  sessions: BrowserSessions,
): Handlers<typeof ENGINE_ENDPOINTS> {
  // Everybody may ask for it, so that it is made once.
  let description: ReturnType<typeof openApiDocument> | null = null;
  return {
    description: async () => {
      description ??= openApiDocument(version);
      return ok(description);
    },
    health: async () => ok({ name: "tazuna", version }),
    engine: async () => ok(await engine.about()),
    tools: async () => ok({ items: await tools(), next: null }),
    capacity: ({ services }) => services.capacity(),
    workers: async ({ services }) => (await services.workers()).map((items) => ({ items, next: null })),
    leave: async ({ request }) => ok({ leaving: await engine.leave({ onlyIdle: request.only_idle }) }),
    link: async ({ request, origin }) =>
      ok(await signInLink(sessions, linkOrigin?.() ?? origin, request.attempt)),
    accessTokens: ({ services }) => shown(services.accessTokens(), listOf(showToken)),
    addAccessToken: ({ services, request }) =>
      shown(services.addAccessToken(request), ({ token, ...made }) => ({ ...showToken(made), token })),
    removeAccessToken: ({ services, id }) => shown(services.removeAccessToken(id), showToken),
    keepEnvironment: async ({ request: { id, variables }, services, caller }) => {
      if (caller !== "program") return err(PROGRAMS_ONLY);
      services.keepEnvironment(id, Object.fromEntries(variables));
      return ok({ id });
    },
  };
}
