/** Runs any program as an agent. */
import { detectConfigured } from "../detect.ts";
import type { Executor } from "../executor.ts";
import { NO_PLACES } from "../launch.ts";
import { commandPlan } from "./argv.ts";
import { commandParser } from "./parse-events.ts";

export const command: Executor = {
  id: "command",
  label: "Command",
  author: "Agent <agent@localhost>",
  builtIn: false,
  detect: detectConfigured,
  plan: commandPlan,
  parser: commandParser,
  // Nothing is known about its login, so every configured command is its own.
  places: () => NO_PLACES,
  login: (profile) => `command:${profile.id}`,
};
