/** The codes that are `spawn_service`'s own, and what each one means. */
export const SPAWN_SERVICE_CODES = {
  INVALID_ARGUMENT: "An argument is wrong, or the command is longer than the system takes.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NAME_IN_USE: "A living service has this name.",
  PORT_IN_USE: "Somebody listens on `port` already, or a living service was started for it.",
  TOO_MANY_SERVICES: "As many services live as one context may have.",
  COMMAND_NOT_FOUND:
    '`shell_mode` is `"direct"` and the program is not on PATH, or its interpreter does not exist.',
  SERVICE_ENDED:
    "It ended, or somebody stopped it, before it was ready; the message and `details.output` hold its last words.",
  NOT_READY: "It was not ready in time and was stopped; `details.output` holds its last words.",
  CANCELED: "The caller changed their mind; the service was stopped.",
  INTERNAL: "Anything unexpected, such as a file that is no program.",
} as const;
