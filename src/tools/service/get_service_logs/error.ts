/** The codes that are `get_service_logs`'s own, and what each one means. */
export const GET_SERVICE_LOGS_CODES = {
  INVALID_ARGUMENT: "An argument is wrong.",
  NOT_FOUND: "No service has this name; `details.known` names those that there are.",
} as const;
