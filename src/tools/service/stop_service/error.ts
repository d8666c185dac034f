/** The codes that are `stop_service`'s own, and what each one means. */
export const STOP_SERVICE_CODES = {
  INVALID_ARGUMENT: "An argument is wrong.",
  NOT_FOUND: "No service has this name; `details.known` names those that there are.",
  STILL_RUNNING:
    "Some of its processes live on in spite of KILL: they belong to another user, or are stuck in the system.",
} as const;
