/** Handles the endpoints that bring an attempt's work into the user's own branches and checkout. */
import type { LANDING_ENDPOINTS } from "../../contract/endpoints/landing.ts";
import { showTask } from "../documents/show-task.ts";
import { type Handlers, shown } from "./handler.ts";

export const landingHandlers: Handlers<typeof LANDING_ENDPOINTS> = {
  merge: ({ services, id, request }) =>
    shown(services.merge({ ...request, attempt: id }), (merge) => ({ merge })),
  revert: ({ services, id, request, once }) =>
    shown(services.revert({ ...request, attempt: id }, once), showTask),
  apply: ({ services, id }) => services.apply(id),
};
