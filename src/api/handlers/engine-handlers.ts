/** Handles the endpoints of the engine itself. */
import { ok } from "neverthrow";
import { openApiDocument } from "../../contract/description/open-api.ts";
import type { ENGINE_ENDPOINTS } from "../../contract/endpoints/engine.ts";
import type { ApiOptions } from "../http/api-options.ts";
import type { Handlers } from "./handler.ts";

export function engineHandlers({
  engine,
  version,
  tools,
  linkOrigin,
}: ApiOptions): Handlers<typeof ENGINE_ENDPOINTS> {
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
    drainWorker: ({ services, id, request: { within_s: within } }) =>
      services.drainWorker({
        worker: id,
        withinMs: within === null ? null : within * 1_000,
        until: "resume",
      }),
    resumeWorker: ({ services, id }) => services.resumeWorker(id),
    removeWorker: ({ services, id }) => services.removeWorker(id),
    inviteWorker: async ({ services, origin }) =>
      (await services.inviteWorker(linkOrigin?.() ?? origin)).map((made) => ({
        url: made.url,
        command: made.command,
        expires_at: made.expiresAt,
        local_server: made.localServer,
        local_database: made.localDatabase,
      })),
    joinOffer: ({ services, id }) => services.joinOffer(id),
    admitWorker: ({ services, id, request }) => services.admitWorker(id, request),
    leave: async ({ request }) => ok({ leaving: await engine.leave({ onlyIdle: request.only_idle }) }),
  };
}
