/** Handles the endpoints of what a person has looked at. */
import type { VIEWED_ENDPOINTS } from "../../contract/endpoints/viewed.ts";
import { type Handlers, shown } from "./handler.ts";

export const viewedHandlers: Handlers<typeof VIEWED_ENDPOINTS> = {
  viewed: ({ services, id }) =>
    shown(services.viewed(id), ({ items, seen }) => ({
      items,
      next: null,
      seen_run: seen?.run ?? null,
      seen_at: seen?.at ?? null,
    })),
  markViewed: ({ services, id, request }) => services.markViewed({ ...request, attempt: id }),
  markSeen: ({ services, id, request }) => services.markSeen({ ...request, attempt: id }),
};
