/** Handles the endpoints that bring an attempt's work into the user's own branches and checkout. */
import type { LANDING_ENDPOINTS } from "../../contract/endpoints/landing.ts";
import { type Handlers, shown } from "./handler.ts";

export const landingHandlers: Handlers<typeof LANDING_ENDPOINTS> = {
  merge: ({ services, id, request }) =>
    shown(services.merge({ ...request, attempt: id }), (merge) => ({ merge })),
  apply: ({ services, id }) => services.apply(id),
};
